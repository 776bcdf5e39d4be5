import Foundation
import Testing
import TrunklineHTTP
import TrunklineTesting

@Suite("A client's tokens and header fields") @MainActor
struct ClientAuthenticationTests {
    private let transport = StubTransport { .stub(for: $0, json: "{}") }
    private let client: NetworkClient

    init() throws { client = try Clients.client(transport) }

    private struct Refused: Error {}

    private struct Provider: AuthTokenProvider {
        let fields: HTTPHeaders
        func requestAuthToken() async throws -> HTTPHeaders {
            // Later, as a store or a server would answer.
            try await Task.sleep(for: .milliseconds(20))
            return fields
        }
    }

    @Test("An asynchronous token is waited for, and all its fields are sent")
    func asynchronousToken() async throws {
        client.authTokenProvider = Provider(fields: [.bearer("t"), .init("X-Device", "d")])
        try await client.response(to: APIRequest(path: "a"))
        #expect(transport.requests.count == 1)
        #expect(transport.requests.first?.headers["Authorization"] == "Bearer t")
        #expect(transport.requests.first?.headers["X-Device"] == "d")
        client.authTokenProvider = BearerTokenProvider { "u" }
        try await client.response(to: APIRequest(path: "a"))
        #expect(transport.requests.last?.headers["Authorization"] == "Bearer u")
    }

    @Test("A token that can't be had: one failure with the cause, nothing sent")
    func refusedToken() async {
        client.authTokenProvider = BearerTokenProvider { throw Refused() }
        let heard = Collector<Result<HTTPResponse, NetworkError>>()
        client.execute(APIRequest(path: "a")) { heard.add($0) }
        #expect(await eventually { heard.count == 1 })
        guard case .failure(.tokenUnavailable(let cause)) = heard.all.first else {
            Issue.record("\(heard.all)")
            return
        }
        #expect(cause is Refused)
        #expect(await client.cancel(request: APIRequest(path: "a")) == 0)
        #expect(heard.count == 1 && transport.requests.isEmpty)
    }

    @Test("A request may do without, and another client has another provider")
    func optOut() async throws {
        let asked = Collector<Int>()
        client.authTokenProvider = BearerTokenProvider {
            asked.add(1)
            return "t"
        }
        try await client.response(to: APIRequest(path: "a", isAuthenticationNeeded: false))
        #expect(asked.count == 0 && transport.requests.last?.headers.contains("Authorization") == false)
        let other = try Clients.client(transport)
        try await other.response(to: APIRequest(path: "a"))
        #expect(asked.count == 0 && transport.requests.last?.headers.contains("Authorization") == false)
    }

    @Test("A provider that never answers is left behind by a cancel, and nothing is sent afterwards")
    func stuckProvider() async {
        let gate = LoopbackGate()
        client.authTokenProvider = BearerTokenProvider {
            // Takes no notice of the cancel.
            await Task.detached { try? await gate.wait() }.value
            return "t"
        }
        let heard = Collector<Result<HTTPResponse, NetworkError>>()
        client.execute(APIRequest(path: "a")) { heard.add($0) }
        #expect(await eventually { gate.waiting == 1 })
        #expect(client.runningTasks.count == 1)
        #expect(await client.cancel(request: APIRequest(path: "a")) == 1)
        guard case .failure(.cancelled) = heard.all.first, heard.count == 1 else {
            Issue.record("\(heard.all)")
            return
        }
        gate.open()
        // The work left behind has run to its end once another request has gone the same way.
        client.authTokenProvider = nil
        _ = try? await client.response(to: APIRequest(path: "b"))
        #expect(transport.requests.map(\.url.path) == ["/api/b"] && heard.count == 1)
    }

    @Test("Precedence: session, client, token, request, extra, each over the one before")
    func precedence() async throws {
        let session = SessionManager(
            configuration: SessionConfiguration(headers: ["A": "session", "S": "session", "B": "session"]),
            transport: transport, cache: ResponseCache())
        let client = try NetworkClient(baseURL: "https://h", session: session)
        client.headers = ["A": "client", "B": "client", "C": "client", "D": "client", "E": "client"]
        client.authTokenProvider = Provider(fields: ["c": "token", "D": "token", "E": "token"])
        let task = HTTPTask.requestParametersAndHeaders(url: ["u": 1], extraHeaders: ["e": "extra", "X": "extra"])
        try await client.response(
            to: APIRequest(path: "a", httpTask: task, headers: ["D": "request", "E": "request", "X": "request"]))
        let sent = try #require(transport.requests.last?.headers)
        for (name, value) in [
            ("S", "session"), ("A", "client"), ("B", "client"), ("C", "token"), ("D", "request"), ("E", "extra"),
            ("X", "extra"),
        ] {
            #expect(sent.values(for: name) == [value], "\(name)")
        }
    }
}
