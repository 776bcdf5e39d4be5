import Foundation
import Testing
import TrunklineTesting

@testable import TrunklineHTTP

/// Where a credential goes, and where it doesn't: case A21 with an authentication.
@Suite("Credentials and origins")
struct CredentialBindingTests {
    /// How the credential is carried.
    enum Place: CaseIterable {
        case authorization, ownField, query

        func authentication(_ server: LoopbackServer) -> any Authentication {
            switch self {
            case .authorization: BearerAuthentication(token: "s", origins: [Origin(server.baseURL)])
            case .ownField:
                RefreshingAuthentication(
                    TokenAuthenticator(field: "X-Token") { _, _, _ in .new }, credential: Token(text: "s"),
                    origins: [Origin(server.baseURL)])
            case .query:
                RefreshingAuthentication(
                    QueryAuthenticator(), credential: "s", origins: [Origin(server.baseURL)])
            }
        }

        func value(in request: LoopbackRequest) -> String? {
            switch self {
            case .authorization: request.headers["Authorization"]
            case .ownField: request.headers["X-Token"]
            case .query: request.query("token")
            }
        }

        var expected: String { self == .query ? "s" : "Bearer s" }
    }

    struct QueryAuthenticator: Authenticator {
        func apply(_ credential: String, to request: inout HTTPRequest) throws {
            var parts = URLComponents(url: request.url, resolvingAgainstBaseURL: true)
            let items = parts?.queryItems ?? []
            parts?.queryItems = items + [URLQueryItem(name: "token", value: credential)]
            if let url = parts?.url { request.url = url }
        }
        func refresh(_ credential: String, after: HTTPResponse?, using: AuthenticationSender) async throws -> String {
            "t"
        }
    }

    @Test(
        "A21: a redirect carries the credential within its origin only", arguments: TransportKind.allCases,
        Place.allCases)
    func redirects(transport: TransportKind, place: Place) async throws {
        let other = try LoopbackServer { $0.fallback(respond: .text("other")) }
        let server = try LoopbackServer { server in
            server.route(.get, "/same", respond: .redirect(to: "/b"))
            server.route(.get, "/port", respond: .redirect(to: "\(other.baseURL)/b"))
            server.route(.get, "/host", respond: .redirect(to: "http://localhost:\(server.port)/b"))
            server.route(.get, "/away", respond: .redirect(to: "\(other.baseURL)/back"))
            server.route(.get, "/b", respond: .text("b"))
        }
        other.route(.get, "/back", respond: .redirect(to: "\(server.baseURL)/b"))
        let session = SessionManager.with(place.authentication(server), transport: transport.make())

        for (path, arrives) in [("/same", true), ("/port", false), ("/host", false), ("/away", false)] {
            server.clearRecord()
            other.clearRecord()
            let endpoint = Endpoint(.get, "\(server.baseURL)\(path)", headers: ["X-Plain": "1", "Cookie": "sid=1"])
            // Where the other origin has no such path, or the host has another address, the answer may be a failure.
            _ = await session.failure(of: endpoint)
            let first = try #require(server.requests.first)
            #expect(place.value(in: first) == place.expected)
            let all = server.requests.dropFirst() + other.requests
            let last = try #require(all.max { $0.arrival < $1.arrival })
            #expect(place.value(in: last) == (arrives ? place.expected : nil), "\(path)")
            #expect(last.headers["X-Plain"] == "1")
            for request in other.requests { #expect(place.value(in: request) == nil && request.rawQuery == nil) }
            if place == .query, arrives { #expect(last.target == "/b?token=s") }
        }
    }

    private let stub = StubTransport { .stub(for: $0, status: 401) }

    private func session() -> SessionManager {
        .with(
            BearerAuthentication(token: "s", origins: ["http://h", "https://h:8443/some/path"]), transport: stub)
    }

    @Test(
        "Requests to other origins go out without it",
        arguments: [
            ("http://h/", true), ("http://H:80/x", true), ("https://h/", false), ("http://h:81/", false),
            ("http://h.evil/", false), ("http://sub.h/", false), ("https://h:8443/", true), ("http://h@evil/", false),
        ])
    func origins(url: String, goes: Bool) async {
        _ = await session().failure(of: url)
        #expect(stub.requests.map { $0.headers["Authorization"] } == [goes ? "Bearer s" : nil])
    }

    @Test("A literal that is no origin matches nothing", arguments: ["", "h", "/path", "ftp://h", "http://", "http:"])
    func badOrigin(text: String) async {
        let origin = Origin(stringLiteral: text)
        #expect(Origin(text) == nil)
        let session = SessionManager.with(BearerAuthentication(token: "s", origins: [origin]), transport: stub)
        _ = await session.failure(of: "http://h/")
        #expect(stub.requests.first?.headers["Authorization"] == nil)
    }

    @Test("A request's own field, and its options, win")
    func ownCredential() async throws {
        let session = session()
        _ = await session.failure(of: Endpoint(.get, "http://h/", headers: ["authorization": "Mine"]))
        _ = await session.failure(
            of: Endpoint(.get, "http://h/", options: RequestOptions(authentication: .none)))
        let other = try BasicAuthentication(username: "u", password: "p", origins: ["http://h"])
        _ = await session.failure(
            of: Endpoint(.get, "http://h/", options: RequestOptions(authentication: .use(other))))
        #expect(stub.requests.map { $0.headers["Authorization"] } == ["Mine", nil, "Basic dTpw"])
        let bare = SessionManager(transport: stub)
        _ = await bare.failure(of: Endpoint(.get, "http://h/", options: RequestOptions(authentication: .use(other))))
        #expect(stub.requests.last?.headers["Authorization"] == "Basic dTpw")
    }

    @Test("Interceptors don't see the credential, the answer's request has it")
    func visibility() async throws {
        let seen = Collector<HTTPHeaders>()
        let watcher = ClosureInterceptor { exchange, next in
            seen.add(exchange.request.headers)
            return try await next(exchange)
        }
        let ok = StubTransport { .stub(for: $0) }
        let session = SessionManager.with(
            BearerAuthentication(token: "s", origins: ["http://h"]), transport: ok, interceptors: [watcher])
        let response = try await session.send("http://h/")
        #expect(seen.all.map { $0.contains("Authorization") } == [false])
        #expect(response.request.headers["Authorization"] == "Bearer s")
        #expect(response.request.options.credentialFields == ["Authorization"])
    }

    @Test("A credential in a field of its own is masked in texts")
    func redaction() async throws {
        let ok = StubTransport { .stub(for: $0) }
        let authentication = RefreshingAuthentication(
            TokenAuthenticator(field: "X-Own") { _, _, _ in .new }, credential: Token(text: "s3cret"),
            origins: ["http://h"])
        let request = try await SessionManager.with(authentication, transport: ok).send("http://h/").request
        #expect(request.headers["X-Own"] == "Bearer s3cret")
        #expect(!request.cURLDescription().contains("s3cret"))
        #expect(request.cURLDescription(redacting: .none).contains("s3cret"))
    }

    @Test("A 401 after a redirect to another origin, and back, refreshes nothing", arguments: [false, true])
    func foreignRefusal(andBack: Bool) async {
        let transport = StubTransport { exchange in
            let location: String? =
                switch (exchange.request.url.host, exchange.request.url.path) {
                case ("h", "/"): "http://g/"
                case ("g", _) where andBack: "http://h/back"
                default: nil
                }
            guard let location else { return .stub(for: exchange, status: 401) }
            return .stub(for: exchange, status: 302, headers: ["Location": location])
        }
        let authenticator = TokenAuthenticator { _, _, _ in
            Issue.record("refreshed")
            return .new
        }
        let session = SessionManager.with(
            RefreshingAuthentication(authenticator, credential: .old, origins: ["http://h", "http://g"]),
            transport: transport)
        #expect(await session.failure(of: "http://h/")?.response?.statusCode == 401)
        #expect(
            transport.requests.map { $0.headers["Authorization"] } == ["Bearer old", nil] + (andBack ? [nil] : []))
    }

    @Test("An answer to a request with a credential of its own kind is not kept for everybody")
    func cache() async throws {
        let count = Collector<Int>()
        let transport = StubTransport { exchange in
            count.add(1)
            return .stub(for: exchange, headers: ["Cache-Control": "max-age=100"], json: "\(count.count)")
        }
        for place in [Place.ownField, .query] {
            let server = try LoopbackServer()
            let session = SessionManager(
                configuration: SessionConfiguration(
                    cachePolicy: .cacheFirst(maxAge: .seconds(100)), authentication: place.authentication(server)),
                transport: transport, cache: ResponseCache())
            let before = count.count
            for _ in 0..<3 { _ = try await session.send("\(server.baseURL)/") }
            #expect(count.count == before + 3)
        }
    }
}
