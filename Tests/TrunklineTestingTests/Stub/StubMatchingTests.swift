import Foundation
import Testing
import TrunklineTesting

@Suite("Stub transport: what a stub answers")
struct StubMatchingTests {
    /// A condition, a request that meets it, and one that does not.
    struct Row: Sendable, CustomTestStringConvertible {
        var condition: StubCondition
        var good: (target: String, headers: HTTPHeaders, body: String)
        var bad: (target: String, headers: HTTPHeaders, body: String)
        var reason: String
        var testDescription: String { condition.description }
    }

    static let rows: [Row] = [
        Row(
            condition: .query("a", "1 2"), good: ("/?a=1+2", [:], ""), bad: ("/?a=3", [:], ""),
            reason: "the query item \"a\" is \"3\", wanted \"1 2\""),
        Row(condition: .hasQuery("a"), good: ("/?a", [:], ""), bad: ("/?b", [:], ""), reason: "\"a\" is missing"),
        Row(condition: .noQuery("a"), good: ("/?b", [:], ""), bad: ("/?a", [:], ""), reason: "wanted none"),
        Row(
            condition: .exactQuery(["a": "1", "b": "2"]), good: ("/?b=2&a=1", [:], ""), bad: ("/?a=1&b=2&c=3", [:], ""),
            reason: "the query is \"a=1&b=2&c=3\", wanted exactly \"a=1&b=2\""),
        Row(
            condition: .header("Accept", "text/html"), good: ("/", ["accept": "text/html"], ""),
            bad: ("/", ["Accept": "text/plain"], ""), reason: "\"Accept\" is \"text/plain\", wanted \"text/html\""),
        Row(
            condition: .hasHeader("X-A"), good: ("/", ["x-a": ""], ""), bad: ("/", [:], ""),
            reason: "\"X-A\" is missing"),
        Row(condition: .noHeader("X-A"), good: ("/", [:], ""), bad: ("/", ["x-a": "1"], ""), reason: "wanted none"),
        Row(
            condition: .json(["a": [1, 2.5], "b": true]), good: ("/", [:], #" {"b": true, "a": [1.0, 25e-1]} "#),
            bad: ("/", [:], #"{"a":[1,3],"b":true}"#), reason: "the body's \"a[1]\" is 3, wanted 2.5"),
        Row(
            condition: .json(#"{"a": 1}"#), good: ("/", [:], #"{"a":1}"#), bad: ("/", [:], #"{"a":1,"b":2}"#),
            reason: "a member \"b\" that is not wanted"),
        Row(
            condition: .json(containing: ["a": ["b": "x"]]), good: ("/", [:], #"{"a":{"b":"x","c":1},"d":2}"#),
            bad: ("/", [:], #"{"a":{"c":1}}"#), reason: "the body has no \"a.b\""),
        Row(condition: .json(["a": 1]), good: ("/", [:], #"{"a":1}"#), bad: ("/", [:], "a=1"), reason: "no JSON"),
        Row(
            condition: .json(containing: #"{"list":[{"x":1}]}"#), good: ("/", [:], #"{"list":[{"x":1,"y":2}]}"#),
            bad: ("/", [:], #"{"list":[]}"#), reason: "\"list\" has 0 elements, wanted 1"),
        Row(
            condition: .form(["a": "1 é"]), good: ("/", [:], "b=2&a=1+%C3%A9"), bad: ("/", [:], "a=2"),
            reason: "the form has a=2, wanted a=1 é"),
        Row(
            condition: .form(["a": "1"], exact: true), good: ("/", [:], "a=1"), bad: ("/", [:], "a=1&b=2"),
            reason: "a field \"b\""),
        Row(
            condition: .body(Data("abc".utf8)), good: ("/", [:], "abc"), bad: ("/", [:], "abd"),
            reason: "differ from byte 2 on"),
        Row(condition: .text("é"), good: ("/", [:], "é"), bad: ("/", [:], ""), reason: "0 bytes, wanted 2"),
        Row(condition: .noBody, good: ("/", [:], ""), bad: ("/", [:], "x"), reason: "1 bytes, wanted none"),
        Row(
            condition: .matching("a short path") { $0.path.count < 5 }, good: ("/a", [:], ""),
            bad: ("/abcdef", [:], ""),
            reason: "it is not \"a short path\""),
    ]

    @Test("A condition lets its requests pass, and says of others what differs", arguments: rows)
    func conditions(_ row: Row) async throws {
        let stubs = StubTransport()
        stubs.when(nil, nil, row.condition, answer: .text("yes"))
        func make(_ parts: (target: String, headers: HTTPHeaders, body: String)) throws -> HTTPRequest {
            try request(
                .post, parts.target, headers: parts.headers,
                body: parts.body.isEmpty ? nil : .data(Data(parts.body.utf8)))
        }
        #expect(try await stubs.text(make(row.good)) == "yes")
        let bad = try make(row.bad)
        let error = await #expect(throws: HTTPError.self) { _ = try await stubs.answer(bad) }
        guard case .unmatched(let unmatched)? = error?.stubError else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(unmatched.description.contains(row.reason), "\(unmatched)")
        #expect(unmatched.mismatches.count == 1)
    }

    /// A pattern, and whether it answers a URL.
    static let patterns: [(pattern: String, url: String, answers: Bool)] = [
        ("/items/{id}", "https://api.test/items/7", true),
        ("/items/{id}", "http://other.test:81/items/7?x=1#f", true),
        ("/items/{id}", "https://api.test/items", false),
        ("/items/{id}", "https://api.test/items/7/8", false),
        ("/items/*", "https://api.test/items/7/8", true),
        ("/items/é", "https://api.test/items/%C3%A9", true),
        ("/items?page=2", "https://api.test/items?size=1&page=2", true),
        ("/items?page=2", "https://api.test/items?page=3", false),
        ("/", "https://api.test", true),
        ("https://api.test/items", "https://api.test/items", true),
        ("https://API.test:443/items", "https://api.test/items", true),
        ("https://api.test/items", "http://api.test/items", false),
        ("https://api.test/items", "https://api.test:444/items", false),
        ("https://api.test/{any}", "https://other.test/items", false),
        ("items", "https://api.test/items", false),
        ("ftp://api.test/", "https://api.test/", false),
        ("http://[", "https://api.test/", false),
    ]

    @Test("A URL pattern answers what it names", arguments: patterns)
    func urls(_ row: (pattern: String, url: String, answers: Bool)) async throws {
        let stubs = StubTransport()
        stubs.when(.get, row.pattern, answer: .text("yes"))
        let asked = try request(.get, row.url)
        let text = try? await stubs.text(asked)
        #expect((text == "yes") == row.answers)
    }

    @Test("Names in the template are decoded and handed to the answer")
    func values() async throws {
        let stubs = StubTransport()
        stubs.when(
            .get, "/shops/{shop}/items/{id}",
            answer: .answer { request in
                .text("\(request["shop"] ?? "") \(request["id"] ?? "") \(request["none"] ?? "-")")
            })
        #expect(try await stubs.text(request(.get, "/shops/a%2Fb/items/%C3%A9")) == "a/b é -")
    }

    @Test("The stub that was added last goes first, and steps aside when its times are over")
    func priority() async throws {
        let stubs = StubTransport()
        stubs.when(answer: .text("common"))
        let once = stubs.when(.get, "/a", times: 2, answer: .text("special"))
        var texts: [String] = []
        for _ in 0..<3 { texts.append(try await stubs.text(request(.get, "/a"))) }
        #expect(texts == ["special", "special", "common"])
        #expect(try await stubs.text(request(.post, "/a")) == "common")
        stubs.remove(once)
        #expect(stubs.stubs.count == 1)
    }

    @Test("An unmatched request names the nearest stub, and no credentials")
    func nearest() async throws {
        let stubs = StubTransport()
        stubs.when(.delete, "/items/{id}", answer: .status(204))
        stubs.when(.get, "/items/{id}", .header("Authorization", "Bearer right"), answer: .status(200))
        stubs.when(.get, "/shops", answer: .status(200))
        let asked = try request(
            .get, "/items/7?token=planted", headers: ["Authorization": "Bearer planted"])
        let error = await #expect(throws: HTTPError.self) { _ = try await stubs.answer(asked) }
        let text = error.map(\.description) ?? ""
        #expect(text.contains("No stub answers GET https://api.test/items/7"))
        #expect(text.contains("The nearest of 3 is GET /items/{id} with header Authorization"))
        #expect(!text.contains("planted") && !text.contains("right"))
        #expect(stubs.unmatchedRequests.count == 1)
    }

    @Test("Without stubs, and with stubs that are used up, the message says so")
    func messages() async throws {
        let stubs = StubTransport()
        let asked = try request(.get, "/a")
        var error = await #expect(throws: HTTPError.self) { _ = try await stubs.answer(asked) }
        #expect(error?.description == "No stub answers GET https://api.test/a: there are no stubs.")
        stubs.when(.get, "/a", times: 0, answer: .status(200))
        error = await #expect(throws: HTTPError.self) { _ = try await stubs.answer(asked) }
        #expect(error?.description.contains("it has answered its 0 times already") == true)
    }

    @Test("A closure answers what no stub does, with a body that can still be read")
    func fallback() async throws {
        let stubs = StubTransport { exchange in
            .stub(for: exchange, data: exchange.request.body?.data ?? Data("none".utf8))
        }
        stubs.when(.get, "/a", answer: .text("stub"))
        #expect(try await stubs.text(request(.get, "/a")) == "stub")
        let stream = AsyncThrowingStream<Data, any Error> { continuation in
            continuation.yield(Data("once".utf8))
            continuation.finish()
        }
        #expect(try await stubs.text(request(.post, "/b", body: .oneShot(stream))) == "once")
    }

    @Test("Many requests at once: a limit holds, every answer of a list is given once")
    func concurrency() async throws {
        let stubs = StubTransport()
        stubs.when(answers: (0..<100).map { .text("\($0)") }, then: .fails)
        stubs.when(.get, "/a", times: 10, answer: .text("limited"))
        let texts = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<110 { group.addTask { try await stubs.text(request(.get, "/a")) } }
            return try await group.reduce(into: [String]()) { $0.append($1) }
        }
        #expect(texts.filter { $0 == "limited" }.count == 10)
        #expect(Set(texts).count == 101)
        let asked = try request(.get, "/a")
        let error = await #expect(throws: HTTPError.self) { _ = try await stubs.answer(asked) }
        guard case .usedUp(_, 100)? = error?.stubError else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
