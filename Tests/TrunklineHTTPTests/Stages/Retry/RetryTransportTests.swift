import Foundation
import Testing
import TrunklineTesting

@testable import TrunklineHTTP

/// Cases A19, A27 and A28 on a real server and both transports.
@Suite("Retries on the wire")
struct RetryTransportTests {
    private static let policy = RetryPolicy(limit: 2, baseDelay: .zero)

    private func session(
        _ kind: TransportKind, retry: RetryPolicy = policy, timeouts: Timeouts = Timeouts(),
        interceptors: [any Interceptor] = []
    ) -> SessionManager {
        SessionManager(
            configuration: SessionConfiguration(timeouts: timeouts, retry: retry), transport: kind.make(),
            interceptors: interceptors)
    }

    private func server(_ statuses: [Int]) throws -> LoopbackServer {
        let server = try LoopbackServer()
        let left = Protected(statuses)
        server.fallback { _ in
            let status = left.withLock { left in
                left.count > 1 ? left.removeFirst() : left.first ?? 500
            }
            return .text("answer", status: status)
        }
        return server
    }

    @Test("A27: a POST that gets a 503 is sent once", arguments: TransportKind.allCases)
    func post(kind: TransportKind) async throws {
        let server = try server([503])
        let error = await session(kind).failure(of: .post("\(server.baseURL)/", body: .data(Data("order=1".utf8))))
        #expect(error?.response?.statusCode == 503)
        #expect(server.requestCount == 1)
    }

    @Test("A27: a GET gets 503, 503, 200, or 503 three times", arguments: TransportKind.allCases)
    func get(kind: TransportKind) async throws {
        let recovering = try server([503, 503, 200])
        let ends = Collector<DataRequest.Outcome>()
        let session = session(kind)
        session.request("\(recovering.baseURL)/").onResponse(on: .global()) { ends.add($0) }
        #expect(await eventually { ends.count > 0 })
        #expect(try ends.all.first?.get().statusCode == 200)
        #expect(recovering.requestCount == 3)

        let broken = try server([503])
        session.request("\(broken.baseURL)/").onResponse(on: .global()) { ends.add($0) }
        #expect(await eventually { ends.count > 1 })
        guard case .failure(let error)? = ends.all.last else {
            Issue.record("answered")
            return
        }
        #expect(error.response?.statusCode == 503)
        #expect(broken.requestCount == 3 && ends.count == 2)
    }

    @Test("A27: a POST that may be sent again is sent with the same body", arguments: TransportKind.allCases)
    func allowedPost(kind: TransportKind) async throws {
        for policy in [
            RetryPolicy(limit: 2, baseDelay: .zero, allowsNonIdempotent: true),
            RetryPolicy(limit: 2, baseDelay: .zero, idempotencyKeyField: "Idempotency-Key"),
        ] {
            let server = try server([503, 200])
            let endpoint = Endpoint(
                .post, "\(server.baseURL)/", body: .data(Data("order=1".utf8)), options: RequestOptions(retry: policy))
            #expect(try await session(kind, retry: .never).send(endpoint).statusCode == 200)
            #expect(server.requests.map(\.text) == ["order=1", "order=1"])
            #expect(Set(server.requests.map { $0.headers["Idempotency-Key"] }).count == 1)
            #expect((server.requests.first?.headers["Idempotency-Key"] != nil) == (policy.idempotencyKeyField != nil))
        }
    }

    /// `URLSession` on Linux opens a second request without the body, so complete bodies are counted (F12).
    @Test("A27: a POST on a kept connection that dies is one body and one failure", arguments: TransportKind.allCases)
    func deadConnection(kind: TransportKind) async throws {
        let server = try LoopbackServer { server in
            server.script(
                connection: 1,
                [
                    .readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na"), .readRequest, .close,
                ])
            server.script([.readHead, .waitForClose])
        }
        let session = session(kind, timeouts: Timeouts(idle: .seconds(5)))
        _ = try await session.send("\(server.baseURL)/")
        let ends = Collector<DataRequest.Outcome>()
        session.request(.post("\(server.baseURL)/", body: .data(Data("order=1".utf8))))
            .onResponse(on: .global()) { ends.add($0) }
        #expect(await eventually { ends.count > 0 })
        guard case .failure(let error)? = ends.all.first else {
            Issue.record("answered")
            return
        }
        switch error {
        case .connectionLost, .timedOut: break
        default: Issue.record("\(error)")
        }
        #expect(server.completeBodies == 1 && ends.count == 1)
        #expect(server.requests.filter { $0.text == "order=1" }.count == 1)
    }

    @Test(
        "A19: a truncated answer is a lost connection, is not kept, and is retried for GET",
        arguments: TransportKind.allCases,
        [
            "Content-Length: 100\r\n\r\n" + String(repeating: "x", count: 50),
            "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
            "Content-Length: 100\r\nContent-Type: application/json\r\n\r\n" + "[1, 2, 3]"
                + String(repeating: " ", count: 41),
        ])
    func truncated(kind: TransportKind, rest: String) async throws {
        let server = try LoopbackServer { server in
            server.script([.readRequest, .send("HTTP/1.1 200 OK\r\nCache-Control: max-age=100\r\n\(rest)"), .close])
        }
        let cache = ResponseCache()
        let session = SessionManager(
            configuration: SessionConfiguration(
                cachePolicy: .cacheFirst(maxAge: .seconds(100)), retry: RetryPolicy(limit: 1, baseDelay: .zero)),
            transport: kind.make(), cache: cache)
        let ends = Collector<Result<[Int], HTTPError>>()
        session.request("\(server.baseURL)/").onValue(of: [Int].self, on: .global()) { ends.add($0) }
        #expect(await eventually { ends.count > 0 })
        guard case .failure(.connectionLost(let loss))? = ends.all.first else {
            Issue.record("\(ends.all)")
            return
        }
        #expect(loss.stage == .duringBody)
        #expect(loss.response.map { $0.statusCode == 200 } ?? true)
        #expect(server.requestCount == 2 && ends.count == 1)
        let endpoint = Endpoint(.get, "\(server.baseURL)/", options: RequestOptions(cache: .cacheOnly))
        guard case .notInCache? = await session.failure(of: endpoint) else {
            Issue.record("kept")
            return
        }

        // A POST is not retried.
        server.clearRecord()
        guard case .connectionLost? = await session.failure(of: .post("\(server.baseURL)/")) else {
            Issue.record("another end")
            return
        }
        #expect(server.requestCount == 1)
    }

    /// With the long wait "at once" shows, with the short one that nothing is sent later.
    @Test("A28: a cancel during the wait is one cancelled end at once", arguments: TransportKind.allCases, [2, 60])
    func cancelInTheWait(kind: TransportKind, wait: Int) async throws {
        let server = try LoopbackServer { server in
            server.fallback(respond: .status(503, headers: ["Retry-After": "\(wait)"]))
        }
        let session = session(kind)
        // Made again where a busy machine came too late to cancel within the wait.
        for _ in 0..<5 {
            server.clearRecord()
            let ends = Collector<DataRequest.Outcome>()
            let request = session.request("\(server.baseURL)/").onResponse(on: .global()) { ends.add($0) }
            #expect(await server.waitForRequests(1, timeout: .seconds(60)))
            try await Task.sleep(for: .milliseconds(500))
            let cancelledAt = ContinuousClock.now
            request.cancel()
            #expect(await eventually { ends.count > 0 })
            guard let first = server.requests.first, ContinuousClock.now - first.arrival < .seconds(wait) else {
                continue
            }
            // Some milliseconds where nothing else keeps the machine busy.
            #expect(ContinuousClock.now - cancelledAt < .seconds(20))
            try await Task.sleep(for: .seconds(wait == 2 ? 4 : 0))
            #expect(server.requestCount == 1 && ends.count == 1)
            guard case .failure(.cancelled)? = ends.all.first else {
                Issue.record("\(ends.all)")
                return
            }
            return
        }
        Issue.record("no cancel came in time")
    }

    @Test("A28, variant: cancelled while an interceptor prepares, nothing is sent", arguments: TransportKind.allCases)
    func cancelInAnInterceptor(kind: TransportKind) async throws {
        let server = try LoopbackServer { $0.fallback(respond: .status(503)) }
        let gate = LoopbackGate()
        let slow = ClosureInterceptor { exchange, next in
            try? await gate.wait()
            return try await next(exchange)
        }
        let session = session(kind, interceptors: [slow])
        let ends = Collector<DataRequest.Outcome>()
        let request = session.request("\(server.baseURL)/").onResponse(on: .global()) { ends.add($0) }
        #expect(await eventually { gate.waiting == 1 })
        request.cancel()
        #expect(await eventually { ends.count > 0 })
        try await Task.sleep(for: .milliseconds(300))
        #expect(server.requestCount == 0 && ends.count == 1)
        guard case .failure(.cancelled)? = ends.all.first else {
            Issue.record("\(ends.all)")
            return
        }
    }
}
