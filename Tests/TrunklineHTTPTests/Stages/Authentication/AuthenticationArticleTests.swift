import Foundation
import Testing
import TrunklineHTTP
import TrunklineTesting

/// The examples of the article Authentication, as they stand there.
@Suite struct AuthenticationArticleTests {
    struct OAuth: Authenticator {
        struct Tokens: Hashable, Codable, Sendable {
            var access: String
            var refresh: String
            var expiry: Date
        }

        func apply(_ tokens: Tokens, to request: inout HTTPRequest) {
            request.headers.set(.bearer(tokens.access))
        }

        func needsRefresh(_ tokens: Tokens, now: Date) -> Bool { tokens.expiry < now + 60 }

        func refresh(
            _ tokens: Tokens, after rejection: HTTPResponse?, using sender: AuthenticationSender
        ) async throws -> Tokens {
            try await sender.send(
                .post("https://id.example.com/token", parameters: ["refresh_token": tokens.refresh])
            ).decode(Tokens.self)
        }
    }

    private let stub = StubTransport { exchange in
        if exchange.request.url.host == "id.example.com" {
            return .stub(for: exchange, json: #"{"access": "a2", "refresh": "r2", "expiry": 9000000000}"#)
        }
        return .stub(for: exchange, json: "[]")
    }

    @Test func `a token that is due is refreshed and stored`() async throws {
        let stored = OAuth.Tokens(access: "a1", refresh: "r1", expiry: .now)
        let store = Collector<OAuth.Tokens>()
        let tokens = RefreshingAuthentication(OAuth(), credential: stored, origins: ["https://api.example.com"]) {
            event in
            switch event {
            case .refreshed(let new): store.add(new)
            case .expired: Issue.record("expired")
            }
        }
        let session = SessionManager(
            configuration: SessionConfiguration(authentication: tokens), transport: stub)
        _ = try await session.send("https://api.example.com/books")
        #expect(stub.requests.map { $0.headers["Authorization"] } == [nil, "Bearer a2"])
        #expect(stub.requests.first?.body?.data == Data("refresh_token=r1".utf8))
        #expect(stub.requests.first?.headers["User-Agent"] != nil)
        #expect(await eventually { store.all.map(\.access) == ["a2"] })

        let logIn = Endpoint.post(
            "https://api.example.com/login", parameters: ["user": "anna"],
            options: RequestOptions(authentication: .none))
        _ = try await session.send(logIn)
        #expect(stub.requests.last?.headers["Authorization"] == nil)
    }

    @Test func `a password, a camera and a provider`() async throws {
        let password = "p"
        let basic = try BasicAuthentication(username: "anna", password: password, origins: ["https://api.example.com"])
        _ = SessionManager(configuration: SessionConfiguration(authentication: basic), transport: stub)
        let digest = DigestAuthentication(username: "admin", password: password, origins: ["http://192.168.1.20"])
        let session = SessionManager(transport: stub)
        let image = try await session.send(
            .get("http://192.168.1.20/snapshot.jpg", options: RequestOptions(authentication: .use(digest))))
        #expect(image.statusCode == 200)
        let bearer = BearerAuthentication(origins: ["https://api.example.com"]) { rejected in
            rejected == nil ? "a" : "b"
        }
        #expect(bearer.origins == ["https://api.example.com"])
    }
}
