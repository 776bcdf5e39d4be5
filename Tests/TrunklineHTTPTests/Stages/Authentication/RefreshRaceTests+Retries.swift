import Foundation
import Testing
import TrunklineTesting

@testable import TrunklineHTTP

/// Retries, replays and requests without a credential.
extension RefreshRaceTests {
    @Test("A body that can be read once is not sent again")
    func oneShotBody() async throws {
        let authentication = authentication { _, _, _ in .new }
        let session = SessionManager.with(authentication, transport: stub)
        let body = RequestBody.oneShot(RequestBody.Chunks { nil })
        let url = try #require(URL(string: "http://h/"))
        let error = await session.failure(of: HTTPRequest(method: .post, url: url, body: body))
        guard case .bodyNotReplayable? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(stub.requests.count == 1 && authentication.credential == .new)
    }

    @Test("A retry takes the credential that is current by then")
    func retryWithTheNewOne() async throws {
        let authentication = Protected<RefreshingAuthentication<TokenAuthenticator>?>(nil)
        let transport = StubTransport { exchange in
            guard exchange.request.headers["Authorization"] == "Bearer old" else { return .stub(for: exchange) }
            authentication.current?.setCredential(.new)
            return .stub(for: exchange, status: 503)
        }
        let current = self.authentication { _, _, _ in .new }
        authentication.withLock { $0 = current }
        let session = SessionManager.with(
            current, transport: transport, retry: RetryPolicy(limit: 1, baseDelay: .zero))
        #expect(try await session.send("http://h/").statusCode == 200)
        #expect(tokens(transport) == ["Bearer old", "Bearer new"])
    }

    @Test("A credential that has become due by the time of a retry is refreshed before it")
    func retryAfterExpiry() async throws {
        let held = Protected<RefreshingAuthentication<TokenAuthenticator>?>(nil)
        let transport = StubTransport { exchange in
            guard exchange.request.headers["Authorization"] == "Bearer old" else { return .stub(for: exchange) }
            held.current?.setCredential(Token(text: "due", isDue: true))
            return .stub(for: exchange, status: 503)
        }
        let authentication = authentication { token, rejection, _ in
            #expect(token.text == "due" && rejection == nil)
            return .new
        }
        held.withLock { $0 = authentication }
        let session = SessionManager.with(
            authentication, transport: transport, retry: RetryPolicy(limit: 1, baseDelay: .zero))
        #expect(try await session.send("http://h/").statusCode == 200)
        #expect(tokens(transport) == ["Bearer old", "Bearer new"])
    }

    @Test("Without a credential requests fail, or go out without one where that is allowed")
    func noCredential() async throws {
        let strict = SessionManager.with(authentication(nil) { _, _, _ in .new }, transport: stub)
        #expect(await strict.failure(of: "http://h/")?.authenticationFailure?.reason == .noCredential)
        #expect(stub.requests.isEmpty)
        let lenient = SessionManager.with(
            authentication(nil, requiresCredential: false) { _, _, _ in .new }, transport: stub)
        #expect(await lenient.failure(of: "http://h/")?.response?.statusCode == 401)
        #expect(tokens(stub) == ["none"])
    }
}
