import Foundation
import Testing
import TrunklineHTTP
import TrunklineTesting

@Suite("Requests as values") @MainActor
struct RequestValueTests {
    private let client: NetworkClient

    init() throws { client = try Clients.client(StubTransport { .stub(for: $0) }) }

    private func built(_ request: any RequestProtocol) throws -> HTTPRequest {
        try client.buildRequest(request, token: [:])
    }

    private func text(_ request: HTTPRequest) -> String {
        "\(request.method) \(request.url.absoluteString) \(String(decoding: request.body?.data ?? Data(), as: UTF8.self))"
    }

    @Test("Everything but the path has a default, in the protocol and in the ready struct")
    func defaults() throws {
        struct Bare: RequestProtocol { var path = "a" }
        let requests: [any RequestProtocol] = [Bare(), APIRequest(path: "a")]
        for request in requests {
            #expect(request.httpMethod == .get && request.httpTask == .request && request.headers.isEmpty)
            #expect(request.isAuthenticationNeeded && request.cachePolicy == nil && request.timeouts == nil)
            let built = try built(request)
            #expect(text(built) == "GET https://h/api/a ")
            #expect(built.options.timeouts == Timeouts(idle: .seconds(10)) && built.options.cache == nil)
        }
        #expect(APIRequest(copying: Bare()) == APIRequest(path: "a"))
    }

    @Test(
        "Every method, and others",
        arguments: [.get, .post, .put, .patch, .delete, .trace, .connect, .options, .head, "PURGE"] as [HTTPMethod])
    func methods(method: HTTPMethod) throws {
        #expect(try built(APIRequest(path: "a", httpMethod: method)).method == method)
    }

    @Test("Cache policy and limits are the request's own where it has them")
    func options() throws {
        let request = APIRequest(path: "a", cachePolicy: .cacheOnly, timeouts: Timeouts(idle: .seconds(1)))
        let built = try built(request)
        #expect(built.options.cache == .cacheOnly && built.options.timeouts?.idle == .seconds(1))
        client.timeouts = Timeouts(total: .seconds(3))
        #expect(try self.built(APIRequest(path: "a")).options.timeouts?.total == .seconds(3))
    }

    @Test("The path: a query in it stays, {names} are filled and leave the query, an absolute URL is refused")
    func paths() throws {
        #expect(text(try built(APIRequest(path: "/a?x=1%2B"))) == "GET https://h/api/a?x=1%2B ")
        let task = HTTPTask.requestParameters(url: ["id": "a/b", "q": "1+1"])
        #expect(
            text(try built(APIRequest(path: "a?x=1", httpTask: .requestParameters(url: ["q": "+"]))))
                == "GET https://h/api/a?x=1&q=%2B ")
        #expect(text(try built(APIRequest(path: "p/{id}", httpTask: task))) == "GET https://h/api/p/a%2Fb?q=1%2B1 ")
        #expect(throws: HTTPError.self) { try built(APIRequest(path: "p/{id}")) }
        #expect(throws: HTTPError.self) { try built(APIRequest(path: "https://evil/x")) }
    }

    struct Lines: ParameterEncoding, Hashable {
        struct Failure: Error {}
        var separator: String

        func encode(_ parameters: Parameters, into request: inout HTTPRequest) throws {
            guard !parameters.isEmpty else { throw Failure() }
            request.body = .text(parameters.keys.joined(separator: separator))
        }
    }

    @Test(
        "Encodings, neither dictionary ever dropped",
        arguments: [
            (HTTPTask.Encoding.json, ["b": 1], ["u": 2], #"POST https://h/api/a?u=2 {"b":1}"#),
            (.urlAndJSON, ["b": true], ["u": [1, 2]], #"POST https://h/api/a?u%5B%5D=1&u%5B%5D=2 {"b":true}"#),
            (.urlAndJSON, [:], ["u": 2], "POST https://h/api/a?u=2 "),
            (.urlAndJSON, ["b": "1"], [:], #"POST https://h/api/a {"b":"1"}"#),
            (.form, ["b": "a b", "a": 1], ["u": 2], "POST https://h/api/a?u=2 a=1&b=a%20b"),
            (.url, [:], ["u": 2], "POST https://h/api/a?u=2 "),
            (.custom(Lines(separator: "|")), ["b": 1, "a": 2], ["u": 2], "POST https://h/api/a?u=2 a|b"),
        ] as [(HTTPTask.Encoding, Parameters, Parameters, String)])
    func encodings(encoding: HTTPTask.Encoding, body: Parameters, url: Parameters, expected: String) throws {
        let task = HTTPTask.requestParameters(body: body, encoding: encoding, url: url)
        #expect(text(try built(APIRequest(path: "a", httpMethod: .post, httpTask: task))) == expected)
    }

    @Test("What an encoding has no place for is an error, and a custom encoder's error is its own")
    func encodingFailures() throws {
        let misplaced = HTTPTask.requestParameters(body: ["b": 1], encoding: .url)
        #expect(throws: HTTPError.self) {
            try built(APIRequest(path: "a", httpMethod: .post, httpTask: misplaced))
        }
        let failing = HTTPTask.requestParameters(encoding: .custom(Lines(separator: "")))
        #expect(throws: Lines.Failure.self) { try built(APIRequest(path: "a", httpTask: failing)) }
    }

    @Test("The media type follows the body, and only where no header names one")
    func contentTypes() async throws {
        let transport = StubTransport { .stub(for: $0) }
        let client = try Clients.client(transport)
        let json = HTTPTask.requestParameters(body: ["b": 1])
        try await client.response(to: APIRequest(path: "a", httpMethod: .post, httpTask: json))
        #expect(transport.requests.last?.headers["Content-Type"] == "application/json")
        let form = HTTPTask.requestParameters(body: ["b": 1], encoding: .form)
        try await client.response(to: APIRequest(path: "a", httpMethod: .post, httpTask: form))
        #expect(transport.requests.last?.headers["Content-Type"] == "application/x-www-form-urlencoded")
        let own = APIRequest(path: "a", httpMethod: .post, httpTask: json, headers: [.contentType("application/x")])
        try await client.response(to: own)
        #expect(transport.requests.last?.headers.values(for: "content-type") == ["application/x"])
        try await client.response(to: APIRequest(path: "a", httpTask: .requestParameters(url: ["u": 1])))
        #expect(transport.requests.last?.headers.contains("Content-Type") == false)
    }

    @Test("Identity is exact equality of every field")
    func identity() {
        let base = APIRequest(path: "a", httpTask: .requestParameters(body: ["x": 1], url: ["y": [1, 2]]))
        let others = [
            APIRequest(path: "b", httpTask: base.httpTask),
            APIRequest(path: "a", httpMethod: .put, httpTask: base.httpTask),
            APIRequest(path: "a", httpTask: .requestParameters(body: ["x": 2], url: ["y": [1, 2]])),
            APIRequest(path: "a", httpTask: .requestParameters(body: ["x": true], url: ["y": [1, 2]])),
            APIRequest(path: "a", httpTask: .requestParameters(body: ["x": 1], url: ["y": [2, 1]])),
            APIRequest(path: "a", httpTask: .requestParameters(body: ["x": 1], encoding: .form, url: ["y": [1, 2]])),
            APIRequest(path: "a", httpTask: base.httpTask, headers: ["A": "1"]),
            APIRequest(path: "a", httpTask: base.httpTask, isAuthenticationNeeded: false),
            APIRequest(path: "a", httpTask: base.httpTask, cachePolicy: .reload),
            APIRequest(path: "a", httpTask: base.httpTask, timeouts: Timeouts()),
        ]
        #expect(Set(others + [base]).count == others.count + 1)
        #expect(base == APIRequest(copying: base))
        let encodings: [HTTPTask.Encoding] = [
            .url, .json, .urlAndJSON, .form, .custom(Lines(separator: "a")), .custom(Lines(separator: "b")),
        ]
        #expect(Set(encodings).count == encodings.count)
        #expect(HTTPTask.Encoding.custom(Lines(separator: "a")) == .custom(Lines(separator: "a")))
    }
}
