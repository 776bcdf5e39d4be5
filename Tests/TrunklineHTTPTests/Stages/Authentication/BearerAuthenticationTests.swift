import Foundation
import Testing
import TrunklineTesting

@testable import TrunklineHTTP

@Suite struct BearerAuthenticationTests {
    private let stub = StubTransport {
        .stub(for: $0, status: $0.request.headers["Authorization"] == "Bearer new" ? 200 : 401)
    }

    private var tokens: [String?] { stub.requests.map { $0.headers["Authorization"] } }

    @Test("A token that never changes is sent, and its refusal stands")
    func fixed() async {
        let session = SessionManager.with(BearerAuthentication(token: "old", origins: ["http://h"]), transport: stub)
        #expect(await session.failure(of: "http://h/")?.response?.statusCode == 401)
        #expect(tokens == ["Bearer old"])
    }

    @Test("A provider is asked before each request, and once more with a refused token")
    func provider() async throws {
        let asked = Collector<String?>()
        let authentication = BearerAuthentication(origins: ["http://h"]) { rejected in
            asked.add(rejected)
            return rejected == nil ? "old" : "new"
        }
        let session = SessionManager.with(authentication, transport: stub)
        #expect(try await session.send("http://h/").metrics?.retryCount == 1)
        #expect(tokens == ["Bearer old", "Bearer new"])
        #expect(asked.all == [nil, "old"])
    }

    @Test("The same token again is not sent again")
    func sameToken() async {
        let session = SessionManager.with(
            BearerAuthentication(origins: ["http://h"]) { _ in "old" }, transport: stub)
        #expect(await session.failure(of: "http://h/")?.response?.statusCode == 401)
        #expect(tokens == ["Bearer old"])
    }

    @Test("What the provider throws ends the request, and nothing is sent")
    func failingProvider() async throws {
        struct NoToken: Error {}
        let session = SessionManager.with(
            BearerAuthentication(origins: ["http://h"]) { _ in throw NoToken() }, transport: stub)
        guard case .custom(let error)? = await session.failure(of: "http://h/") else {
            Issue.record("no failure")
            return
        }
        #expect(error is NoToken)
        #expect(stub.requests.isEmpty)
    }

    @Test("A provider may use the session itself")
    func providerWithTheSession() async throws {
        let held = Protected<SessionManager?>(nil)
        let authentication = BearerAuthentication(origins: ["http://h"]) { _ in
            let session = held.current
            _ = await session?.failure(of: "http://h/token")
            return "new"
        }
        let session = SessionManager.with(authentication, transport: stub)
        held.withLock { $0 = session }
        defer { held.withLock { $0 = nil } }
        #expect(try await session.send("http://h/").statusCode == 200)
        #expect(tokens == [nil, "Bearer new"])
    }

    @Test("A token that can't be in a field is an error, not two fields")
    func badToken() async {
        let session = SessionManager.with(
            BearerAuthentication(token: "a\r\nX-Evil: 1", origins: ["http://h"]), transport: stub)
        guard case .invalidRequest? = await session.failure(of: "http://h/") else {
            Issue.record("no failure")
            return
        }
        #expect(stub.requests.isEmpty)
    }
}
