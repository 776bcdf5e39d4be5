import Foundation
import Testing
import TrunklineTesting

@Suite("Cassettes: which exchange answers")
struct CassetteMatchingTests {
    private let directory: ScratchDirectory
    private var file: URL { directory.file("tapes/first.har") }

    init() throws { directory = try ScratchDirectory() }

    @Test("Each recorded exchange answers once, in order; then it is missing, or repeated where that is asked for")
    func once() async throws {
        let stubs = StubTransport()
        stubs.when(answers: [.text("one"), .text("two")], then: .repeatsLast)
        let recorder = try CassetteTransport(stubs, file: file, mode: .record)
        for _ in 0..<2 { _ = try await recorder.answer(request(.get, "/a")) }
        let player = try CassetteTransport(replaying: file)
        #expect(try await player.text(request(.get, "/a")) == "one")
        #expect(try await player.text(request(.get, "/a")) == "two")
        let error = try await failure { _ = try await player.answer(request(.get, "/a")) }
        guard case .noMatch(_, nil, _, _)? = error.cassetteError else { throw error }
        let repeating = try CassetteTransport(replaying: file, matching: CassetteMatching(repeats: true))
        var texts: [String] = []
        for _ in 0..<4 { texts.append(try await repeating.text(request(.get, "/a"))) }
        #expect(texts == ["one", "two", "two", "two"])
    }

    @Test("What differs is said: method, URL, a header field, the body")
    func matching() async throws {
        let stubs = StubTransport()
        stubs.when(answer: .answer { .text($0.text) })
        let recorder = try CassetteTransport(stubs, file: file, mode: .record)
        let bodies = [#"{"a": 1, "b": 2}"#, #"{"a":3}"#]
        for (index, body) in bodies.enumerated() {
            let asked = try request(
                .post, "/a?t=\(index)&x=1", headers: ["X-Kind": "k\(index)"],
                body: .text(body, contentType: "application/json"))
            _ = try await recorder.answer(asked)
        }
        let rule = CassetteMatching(ignoredQuery: ["t"], headers: ["X-Kind"], body: true)
        let player = try CassetteTransport(replaying: file, matching: rule)
        func ask(
            _ method: HTTPMethod = .post, _ target: String = "/a?x=1&t=9", kind: String = "k1",
            body: String = #"{"a":3}"#
        )
            async throws -> String
        {
            try await player.text(
                request(method, target, headers: ["X-Kind": kind], body: .text(body, contentType: "application/json")))
        }
        #expect(try await ask() == bodies[1])
        let rows: [(HTTPMethod, String, String, String, String)] = [
            (.put, "/a?x=1", "k0", #"{"a":1,"b":2}"#, "the method is PUT, recorded POST"),
            (.post, "/b?x=1", "k0", #"{"a":1,"b":2}"#, "the URL is https://api.test/b?x=1"),
            (.post, "/a?x=1", "k2", #"{"a":1,"b":2}"#, "the header field \"X-Kind\" is k2, recorded k0"),
            (.post, "/a?x=1", "k0", #"{"a":1,"b":3}"#, "the body differs"),
        ]
        for row in rows {
            let error = try await failure { _ = try await ask(row.0, row.1, kind: row.2, body: row.3) }
            #expect(error.description.contains(row.4), "\(error)")
        }
        // JSON matches by its value.
        #expect(try await ask(.post, "/a?x=1", kind: "k0", body: #"{"b":2,"a":1.0}"#) == bodies[0])
    }

    @Test("In recorded order the next exchange must match")
    func order() async throws {
        let stubs = StubTransport()
        stubs.when(answer: .answer { .text($0.path) })
        let recorder = try CassetteTransport(stubs, file: file, mode: .record)
        for path in ["/a", "/b"] { _ = try await recorder.answer(request(.get, path)) }
        let player = try CassetteTransport(replaying: file, matching: CassetteMatching(order: .recorded))
        let error = try await failure { _ = try await player.answer(request(.get, "/b")) }
        #expect(error.description.contains("The nearest is GET https://api.test/a"))
        #expect(try await player.text(request(.get, "/a")) == "/a")
        #expect(try await player.text(request(.get, "/b")) == "/b")
    }
}
