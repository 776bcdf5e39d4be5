import Foundation
import Testing
import TrunklineTesting

@testable import TrunklineHTTP

/// Retries over a stub, on a clock that the test moves where time matters.
@Suite struct RetryStageTests {
    private func session(_ policy: RetryPolicy, _ transport: StubTransport) -> SessionManager {
        SessionManager(configuration: SessionConfiguration(retry: policy), transport: transport)
    }

    @Test func `503, 503, 200 is three requests and one success`() async throws {
        let count = Collector<Int>()
        let transport = StubTransport {
            count.add(1)
            return .stub(for: $0, status: count.count < 3 ? 503 : 200)
        }
        let response = try await session(RetryPolicy(limit: 2, baseDelay: .zero), transport).send("http://h/")
        #expect(response.statusCode == 200 && response.metrics?.retryCount == 2)
        #expect(transport.requests.count == 3)
    }

    /// Drives the stage by hand: every wait is taken from the clock.
    private func run(
        _ policy: RetryPolicy, jitter: Double = 0.5, status: Int = 503, retryAfter: String? = nil
    ) async throws -> (waits: [Duration], response: HTTPResponse) {
        let clock = TestClock()
        let url = try #require(URL(string: "http://h/"))
        let starts = Collector<Duration>()
        let transport = StubTransport { exchange in
            starts.add(clock.now.offset)
            return .stub(for: exchange, status: status, headers: retryAfter.map { ["Retry-After": $0] } ?? [:])
        }
        let stage = RetryStage(defaultPolicy: policy, clock: clock, jitter: { jitter })
        let ended = Collector<Bool>()
        let task = Task {
            defer { ended.add(true) }
            return try await stage.intercept(Exchange(request: HTTPRequest(url: url)), next: Next(transport: transport))
        }
        let deadline = ContinuousClock.now + .seconds(60)
        while ended.count == 0, ContinuousClock.now < deadline {
            if clock.sleeperCount > 0 { clock.advance(by: .milliseconds(500)) }
            try await Task.sleep(for: .milliseconds(1))
        }
        if ended.count == 0 { task.cancel() }
        let times = starts.all
        return (zip(times.dropFirst(), times).map { $0 - $1 }, try await task.value)
    }

    @Test func `the waits double and are spread by the jitter`() async throws {
        let (waits, response) = try await run(RetryPolicy(limit: 4, baseDelay: .seconds(2)))
        #expect(waits == [.seconds(1), .seconds(2), .seconds(4), .seconds(8)])
        #expect(response.metrics?.retryCount == 4)
    }

    @Test func `the deadline ends the retries, and the last answer stands`() async throws {
        let policy = RetryPolicy(limit: 100, baseDelay: .seconds(2), totalDeadline: .seconds(10))
        let (waits, response) = try await run(policy)
        #expect(waits == [.seconds(1), .seconds(2), .seconds(4)])
        #expect(response.statusCode == 503)
        #expect(try await run(policy, retryAfter: "4").waits == [.seconds(4), .seconds(4)])
    }

    @Test func `one key for one request, in retries and replays, and another for the next`() async throws {
        let transport = StubTransport { exchange in
            if exchange.request.headers["Authorization"] != "Bearer new" { return .stub(for: exchange, status: 401) }
            return .stub(for: exchange, status: exchange.attempt < 4 ? 503 : 200)
        }
        let policy = RetryPolicy(
            limit: 3, baseDelay: .zero, idempotencyKeyField: RetryPolicy.standardIdempotencyKeyField)
        let authentication = RefreshingAuthentication(
            TokenAuthenticator { _, _, _ in .new }, credential: .old, origins: ["http://h"])
        let session = SessionManager.with(authentication, transport: transport, retry: policy)
        for index in 1...2 {
            _ = try await session.send(.post("http://h/"))
            let keys = transport.requests.map { $0.headers["Idempotency-Key"] }
            #expect(Set(keys).count == index)
            #expect(keys.allSatisfy { $0 != nil })
        }
        // 401, then 503 twice, then 200; then 503 three times (its attempts begin with 1) and 200.
        #expect(transport.requests.count == 8)
        _ = try await session.send(.post("http://h/", headers: ["Idempotency-Key": "mine"]))
        #expect(transport.requests.last?.headers.values(for: "Idempotency-Key") == ["mine"])
        _ = try await session.send(.get("http://h/"))
        #expect(transport.requests.last?.headers["Idempotency-Key"] == nil)
    }

    // MARK: - Case A28

    /// What the retrier is asked for: each consultation takes one number.
    private final class Consultations: Sendable {
        let count = Protected(0)
        var jitter: @Sendable () -> Double {
            {
                self.count.withLock { $0 += 1 }
                return 0
            }
        }
    }

    private func cancelled(_ outcome: Result<HTTPResponse, any Error>) -> Bool {
        if case .failure(let error) = outcome, case .cancelled = HTTPError(error) { true } else { false }
    }

    @Test func `A28: a cancel during the wait wakes the stage, and nothing more is sent`() async throws {
        let clock = TestClock()
        let consultations = Consultations()
        let transport = StubTransport { .stub(for: $0, status: 503, headers: ["Retry-After": "2"]) }
        let stage = RetryStage(defaultPolicy: RetryPolicy(), clock: clock, jitter: consultations.jitter)
        let url = try #require(URL(string: "http://h/"))
        let task = Task {
            try await stage.intercept(Exchange(request: HTTPRequest(url: url)), next: Next(transport: transport))
        }
        await clock.waitForSleepers()
        clock.advance(by: .milliseconds(500))
        task.cancel()
        #expect(cancelled(await task.result))
        #expect(clock.sleeperCount == 0)
        clock.advance(by: .seconds(4))
        #expect(transport.requests.count == 1 && consultations.count.current == 1)
    }

    @Test func `A28, variant: cancelled in flight, the retrier is not asked`() async throws {
        let gate = LoopbackGate()
        let consultations = Consultations()
        // The transport is cancelled and calls it a lost connection, which would be retried.
        let transport = StubTransport { _ in
            do { try await gate.wait() } catch {
                throw HTTPError.connectionLost(ConnectionLoss(stage: .beforeResponse, reason: "test"))
            }
            throw HTTPError.sessionInvalidated
        }
        let stage = RetryStage(
            defaultPolicy: RetryPolicy(limit: .max, baseDelay: .zero), jitter: consultations.jitter)
        let url = try #require(URL(string: "http://h/"))
        let task = Task {
            try await stage.intercept(Exchange(request: HTTPRequest(url: url)), next: Next(transport: transport))
        }
        #expect(await eventually { gate.waiting == 1 })
        task.cancel()
        #expect(cancelled(await task.result))
        #expect(transport.requests.count == 1 && consultations.count.current == 0)
    }
}
