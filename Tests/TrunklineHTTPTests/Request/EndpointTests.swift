import Foundation
import Testing

@testable import TrunklineHTTP

@Suite("Endpoints and everything a request can be made of")
struct EndpointTests {
    private func request(_ convertible: some RequestConvertible) throws -> HTTPRequest { try convertible.makeRequest() }

    @Test("The shorthands set the method and the encoding follows it")
    func shorthands() throws {
        let get = try request(.get("https://h/a", parameters: ["x": 1]))
        #expect(get.method == .get && get.url.absoluteString == "https://h/a?x=1" && get.body == nil)
        let head = try request(.head("https://h/a", parameters: ["x": 1]))
        #expect(head.method == .head && head.url.absoluteString == "https://h/a?x=1")
        let delete = try request(.delete("https://h/a", parameters: ["x": 1]))
        #expect(delete.method == .delete && delete.url.absoluteString == "https://h/a?x=1")
        for (made, method) in [
            (try request(.post("https://h/a", parameters: ["x": 1])), HTTPMethod.post),
            (try request(.put("https://h/a", parameters: ["x": 1])), .put),
            (try request(.patch("https://h/a", parameters: ["x": 1])), .patch),
        ] {
            #expect(made.method == method && made.url.absoluteString == "https://h/a")
            #expect(Encodings.text(made.body) == "x=1")
        }
    }

    struct Book: Encodable {
        var title = "Æ/\"x\""
        var added = Date(timeIntervalSince1970: 1.5)
        var price = Decimal(string: "129.9") ?? 0
    }

    @Test("A model as JSON: sorted, exact, and the same on every run")
    func models() throws {
        let made = try request(try .post("https://h/a", json: Book(), parameters: ["dry": true]))
        #expect(made.url.absoluteString == "https://h/a?dry=1")
        #expect(
            Encodings.text(made.body) == #"{"added":"1970-01-01T00:00:01Z","price":129.9,"title":"Æ/\"x\""}"#)
        #expect(made.body?.contentType == "application/json")

        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .secondsSince1970
        let custom = try request(try .post("https://h/a", json: Book(), encoder: encoder))
        #expect(Encodings.text(custom.body) == #"{"added":1.5,"price":129.9,"title":"Æ/\"x\""}"#)
        #expect(Encodings.text(try .json([1, 2])) == "[1,2]")
        #expect(Encodings.text(try .json(Int?.none)) == "null")
        #expect(Encodings.failingPath { _ = try RequestBody.json(["a": [1.0, .nan]]) } == "a[1]")
        #expect(Encodings.failingPath { _ = try RequestBody.json([Double.nan], encoder: encoder) } == "[0]")
    }

    @Test("A body of its own sends the parameters into the query, and an explicit body encoding is refused")
    func ownBody() throws {
        let made = try request(.post("https://h/a", parameters: ["x": 1], body: .text("hi")))
        #expect(made.url.absoluteString == "https://h/a?x=1")
        #expect(Encodings.text(made.body) == "hi")
        for encoding: any ParameterEncoding in [.form, .json, .text("x")] as [any ParameterEncoding] {
            #expect(throws: HTTPError.self) {
                try Endpoint(.post, "https://h/a", parameters: ["x": 1], encoding: encoding, body: .text("hi"))
                    .makeRequest()
            }
        }
    }

    struct Refusing: ParameterEncoding {
        struct Failure: Error {}
        func encode(_ parameters: Parameters, into request: inout HTTPRequest) throws { throw Failure() }
    }

    @Test("A custom encoder's error reaches the caller as it is")
    func customEncoder() {
        do {
            _ = try Endpoint(.get, "https://h", encoding: Refusing()).makeRequest()
            Issue.record("no error")
        } catch .custom(let error) {
            #expect(error is Refusing.Failure)
        } catch {
            Issue.record("wrong error \(error)")
        }
    }

    @Test("A URL, a text and a finished request")
    func otherSources() throws {
        let url = try #require(URL(string: "https://h/a?x=%2B"))
        #expect(try request(url).url == url)
        #expect(try request("https://h/a b").url.absoluteString == "https://h/a%20b")
        #expect(throws: HTTPError.self) { try request(URL(fileURLWithPath: "/tmp/x")) }
        #expect(throws: HTTPError.self) { try request("ftp://h/x") }
        #expect(throws: HTTPError.self) { try request(.get("/relative")) }
        let relative = try #require(URL(string: "x?y=1", relativeTo: URL(string: "https://h/a/b")))
        #expect(try request(relative).url.absoluteString == "https://h/a/x?y=1")
    }

    @Test("A URLRequest gives its method, fields, body and a changed timeout")
    func urlRequests() throws {
        let url = try #require(URL(string: "https://h/a"))
        var source = URLRequest(url: url)
        #expect(try request(source).options.timeouts == nil)
        source.httpMethod = "PUT"
        source.httpBody = Data("hi".utf8)
        source.timeoutInterval = 7
        source.setValue("1", forHTTPHeaderField: "X-A")
        source.setValue("2", forHTTPHeaderField: "Content-Length")
        let made = try request(source)
        #expect(made.method == .put && Encodings.text(made.body) == "hi")
        #expect(made.options.timeouts?.idle == .seconds(7))
        #expect(made.headers["x-a"] == "1" && !made.headers.contains("Content-Length"))
        source.httpBody = nil
        source.httpBodyStream = InputStream(data: Data())
        #expect(throws: HTTPError.self) { try request(source) }
    }
}
