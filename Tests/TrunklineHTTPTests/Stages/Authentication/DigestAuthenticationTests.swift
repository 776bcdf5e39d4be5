import Foundation
import Testing
import TrunklineTesting

@testable import TrunklineHTTP

@Suite("Digest authentication against a strict server")
struct DigestAuthenticationTests {
    @Test(
        "The first request is asked for a proof, the next ones bring it", arguments: TransportKind.allCases,
        ["MD5", "SHA-256"])
    func counting(kind: TransportKind, algorithm: String) async throws {
        let digest = try DigestServer(algorithm: algorithm)
        let session = digest.session(kind)
        for path in ["/", "/a?b=c&d=%20", "/%C3%A4"] {
            #expect(try await session.send("\(digest.server.baseURL)\(path)").string() == "yes")
        }
        let body = RequestBody.data(Data("x".utf8))
        #expect(try await session.send(Endpoint(.put, "\(digest.server.baseURL)/x", body: body)).statusCode == 200)
        #expect(digest.refusals == ["no proof"])
        #expect(digest.server.requestCount == 5)
    }

    @Test("A stale nonce is replaced without asking", arguments: [true, false])
    func stale(saysStale: Bool) async throws {
        let digest = try DigestServer(uses: 2)
        digest.state.withLock { $0.saysStale = saysStale }
        let session = digest.session(.curl)
        for _ in 0..<5 { #expect(try await session.send("\(digest.server.baseURL)/").statusCode == 200) }
        #expect(digest.refusals == ["no proof", "stale", "stale"])
    }

    @Test("The nonce announced with an answer is the next one used")
    func nextNonce() async throws {
        let digest = try DigestServer(uses: 1)
        digest.state.withLock { $0.announcesNext = true }
        let session = digest.session(.curl)
        for _ in 0..<5 { #expect(try await session.send("\(digest.server.baseURL)/").statusCode == 200) }
        #expect(digest.refusals == ["no proof"])
    }

    @Test("A wrong password is the server's 401, and is tried once a request", arguments: TransportKind.allCases)
    func wrongPassword(kind: TransportKind) async throws {
        let digest = try DigestServer()
        let session = digest.session(kind, password: "wrong")
        for _ in 0..<2 {
            let error = await session.failure(of: "\(digest.server.baseURL)/")
            #expect(error?.response?.statusCode == 401 && error?.response?.data == Data("no".utf8))
        }
        #expect(digest.refusals == ["no proof", "wrong password", "no proof", "wrong password"])
        // The password that was right, is changed, and is right again.
        digest.state.withLock { $0.password = "wrong" }
        #expect(try await session.send("\(digest.server.baseURL)/").statusCode == 200)
        digest.state.withLock { $0.password = "other" }
        #expect(await session.failure(of: "\(digest.server.baseURL)/")?.response?.statusCode == 401)
        #expect(await session.failure(of: "\(digest.server.baseURL)/")?.response?.statusCode == 401)
        digest.state.withLock { $0.password = "wrong" }
        #expect(try await session.send("\(digest.server.baseURL)/").statusCode == 200)
    }

    @Test("Each redirect has a proof for its own target")
    func redirect() async throws {
        let digest = try DigestServer()
        let session = digest.session(.curl)
        for _ in 0..<2 { #expect(try await session.send("\(digest.server.baseURL)/moved").statusCode == 200) }
        #expect(digest.refusals == ["no proof"])
    }

    @Test("Each retry has a count of its own")
    func retry() async throws {
        let digest = try DigestServer()
        let failures = Protected(2)
        digest.server.route(.get, "/flaky") { request in
            guard request.headers.contains("Authorization") else { return .redirect(to: "/ask") }
            let count = failures.withLock { failures in
                failures -= 1
                return failures
            }
            return count >= 0 ? .status(503) : .text("yes")
        }
        let session = digest.session(.curl, retry: RetryPolicy(limit: 3, baseDelay: .zero))
        #expect(try await session.send("\(digest.server.baseURL)/").statusCode == 200)
        #expect(try await session.send("\(digest.server.baseURL)/flaky").statusCode == 200)
        let counts = digest.server.requests.filter { $0.path == "/flaky" }.compactMap { request in
            request.headers["Authorization"].flatMap { AuthenticationChallenge.parse($0).first?["nc"] }
        }
        #expect(counts == ["00000002", "00000003", "00000004"])
    }

    @Test("Many first requests at once are all answered, and no count is used twice")
    func manyAtOnce() async throws {
        let digest = try DigestServer(uses: 7)
        let session = digest.session(.curl)
        var failures = 0
        for _ in 0..<5 {
            let outcomes = await session.outcomes(of: 30, "\(digest.server.baseURL)/")
            #expect(outcomes.count == 30)
            for outcome in outcomes {
                // With so few uses a nonce, a replay may come too late for its own: a 401, but never a used count.
                if case .failure(let error) = outcome {
                    #expect(error.response?.statusCode == 401)
                    failures += 1
                }
            }
        }
        #expect(!digest.refusals.contains("wrong password"))
        digest.state.withLock { $0.uses = .max }
        let outcomes = await session.outcomes(of: 100, "\(digest.server.baseURL)/")
        #expect(outcomes.allSatisfy { (try? $0.get().statusCode) == 200 }, "\(failures)")
    }

    @Test("Challenges that can't be answered are the server's 401")
    func unsupported() async throws {
        for challenge in ["Digest realm=x, nonce=y, algorithm=SHA-512-256", "Basic realm=x", "Digest", ""] {
            let stub = StubTransport { .stub(for: $0, status: 401, headers: ["WWW-Authenticate": challenge]) }
            let session = SessionManager.with(
                DigestAuthentication(username: "u", password: "p", origins: ["http://h"]), transport: stub)
            #expect(await session.failure(of: "http://h/")?.response?.statusCode == 401)
            #expect(stub.requests.count == 1)
        }
    }
}
