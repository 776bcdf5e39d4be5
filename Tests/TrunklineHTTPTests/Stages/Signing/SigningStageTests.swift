import Foundation
import Testing
import TrunklineHTTP
import TrunklineTesting

@Suite("The stage that signs") struct SigningStageTests {
    private func session(_ stub: StubTransport) -> SessionManager {
        SessionManager(
            configuration: SessionConfiguration(retry: RetryPolicy(limit: 3, baseDelay: .milliseconds(1))),
            transport: stub)
    }

    private func signed(_ text: String, _ sign: @escaping RequestSigner.Sign) throws -> HTTPRequest {
        var request = HTTPRequest(url: try #require(URL(string: text)))
        request.options.signing = RequestSigner(sign)
        return request
    }

    @Test("Query parameters of a signature are new in each attempt, and the cache knows the request without them")
    func query() async throws {
        let count = Protected(0)
        let stub = StubTransport { exchange in
            .stub(for: exchange, status: exchange.attempt == 1 ? 503 : 200, data: Data("x".utf8))
        }
        let request = try signed("http://h/a") { request in
            let number = count.withLock { count in
                count += 1
                return count
            }
            request.url = try #require(URL(string: request.url.absoluteString + "?nonce=\(number)"))
        }
        let response = try await session(stub).send(request)
        #expect(stub.requests.map(\.url.absoluteString) == ["http://h/a?nonce=1", "http://h/a?nonce=2"])
        #expect(response.statusCode == 200 && count.current == 2)
    }

    @Test("What a signature throws is the request's end, and is not tried again")
    func failure() async throws {
        struct NoKey: Error {}
        let stub = StubTransport { .stub(for: $0) }
        let request = try signed("http://h/a") { _ in throw NoKey() }
        let error = await #expect(throws: HTTPError.self) { try await session(stub).send(request) }
        guard case .custom(let own) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(own is NoKey && stub.requests.isEmpty)
    }

    @Test("A signature is not for another origin, nor on the way back")
    func origins() async throws {
        let stub = StubTransport { exchange in
            let next = ["/a": "http://h:81/b", "/b": "http://h/c"][exchange.request.url.path]
            return .stub(for: exchange, status: next == nil ? 200 : 307, headers: next.map { ["Location": $0] } ?? [:])
        }
        let request = try signed("http://h/a") { $0.headers["X-Signature"] = "s" }
        _ = try await session(stub).send(request)
        #expect(stub.requests.map { $0.headers["X-Signature"] } == ["s", nil, nil])
    }

    @Test("Two signed requests don't share an exchange")
    func coalescing() async throws {
        let stub = StubTransport { exchange in
            try await Task.sleep(for: .milliseconds(20))
            return .stub(for: exchange)
        }
        let session = SessionManager(
            configuration: SessionConfiguration(coalescesRequests: true), transport: stub)
        let request = try signed("http://h/a") { $0.headers["X-Signature"] = "s" }
        async let first = session.send(request)
        async let second = session.send(request)
        _ = try await (first, second)
        #expect(stub.requests.count == 2)
    }
}
