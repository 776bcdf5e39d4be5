import Foundation
import Testing
import TrunklineTesting

@testable import TrunklineHTTP

@Suite struct BasicAuthenticationTests {
    /// Case A25, on both transports and with both sets of challenges.
    @Test(
        "A25: with no credential a 401 with a Basic challenge is the answer",
        arguments: TransportKind.allCases, [["Basic realm=\"api\""], ["Bearer realm=\"a\"", "Basic realm=\"api\""]])
    func noCredential(kind: TransportKind, challenges: [String]) async throws {
        var answer = LoopbackResponse.text("no", status: 401)
        for challenge in challenges { answer = answer.addingHeader("WWW-Authenticate", challenge) }
        let server = try LoopbackServer { [answer] in $0.route(.get, "/", respond: answer) }
        let transport = kind.make()
        let session = SessionManager(
            configuration: SessionConfiguration(timeouts: Timeouts(idle: .seconds(120))), transport: transport)
        let count = Collector<DataRequest.Outcome>()
        session.request("\(server.baseURL)/").onResponse(on: .global()) { count.add($0) }
        // Some milliseconds, where nothing else keeps the machine busy; long before the idle limit in any case.
        #expect(await eventually(within: .seconds(60)) { count.count == 1 })
        guard case .failure(.validation(let failure)) = try #require(count.all.first) else {
            Issue.record("\(count.all)")
            return
        }
        #expect(failure.response.statusCode == 401)
        #expect(failure.response.data == Data("no".utf8))
        #expect(failure.response.headers.challenges.map(\.scheme) == challenges.map { String($0.prefix { $0 != " " }) })
        #expect(failure.response.headers.challenges.last?.realm == "api")
        try await Task.sleep(for: .milliseconds(50))
        #expect(server.requestCount == 1 && count.count == 1)
    }

    @Test("A25, then the refresh runs as for any other 401", arguments: TransportKind.allCases)
    func refreshAfterBasicChallenge(kind: TransportKind) async throws {
        let server = try LoopbackServer { server in
            server.route(.get, "/") { request in
                request.headers["Authorization"] == "Bearer new"
                    ? .text("yes") : .text("no", status: 401, headers: ["WWW-Authenticate": "Basic realm=\"api\""])
            }
            server.route(.post, "/refresh", respond: .text("new"))
        }
        let authentication = RefreshingAuthentication(
            TokenAuthenticator(server), credential: .old, origins: [Origin(server.baseURL)])
        let session = SessionManager.with(authentication, transport: kind.make())
        #expect(try await session.send("\(server.baseURL)/").string() == "yes")
        #expect(server.requestCount == 3)
    }

    @Test("User name and password go out unasked, in UTF-8, and a refusal stands", arguments: TransportKind.allCases)
    func unasked(kind: TransportKind) async throws {
        let server = try LoopbackServer { server in
            server.route(.get, "/yes", respond: .text("yes"))
            server.route(.get, "/no", respond: .text("no", status: 401, headers: ["WWW-Authenticate": "Basic realm=x"]))
        }
        // RFC 7617, section 2.1.
        let authentication = try BasicAuthentication(
            username: "test", password: "123\u{A3}", origins: [Origin(server.baseURL)])
        let session = SessionManager.with(authentication, transport: kind.make())
        #expect(try await session.send("\(server.baseURL)/yes").string() == "yes")
        #expect(await session.failure(of: "\(server.baseURL)/no")?.response?.statusCode == 401)
        #expect(
            server.requests.map { $0.headers["Authorization"] } == ["Basic dGVzdDoxMjPCow==", "Basic dGVzdDoxMjPCow=="])
    }

    @Test(
        "What the scheme can't carry is refused when it is made",
        arguments: [("a:b", "p"), ("a\n", "p"), ("a", "p\u{0}"), ("\u{85}", "p"), ("a", "\u{7F}")])
    func refused(username: String, password: String) {
        let error = #expect(throws: HTTPError.self) {
            try BasicAuthentication(username: username, password: password, origins: [])
        }
        guard case .invalidCredential? = error?.authenticationFailure?.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("A colon in the password, and empty ones, are fine")
    func accepted() throws {
        for (username, password) in [("a", "b:c"), ("", ""), ("a", ""), ("\u{E4}", "\u{1F600}")] {
            _ = try BasicAuthentication(username: username, password: password, origins: [])
        }
    }
}
