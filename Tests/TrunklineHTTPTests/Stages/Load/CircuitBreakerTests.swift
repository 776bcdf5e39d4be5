import Foundation
import Testing
import TrunklineTesting

@testable import TrunklineHTTP

@Suite struct CircuitBreakerTests {
    private let policy = CircuitPolicy(trip: .consecutiveFailures(3), openFor: .seconds(30))

    @Test func `a failing host fails fast, is probed, and is used again`() async throws {
        let clock = TestClock()
        let breaker = CircuitBreaker(policy, clock: clock)
        let status = Protected(503)
        let transport = StubTransport { .stub(for: $0, status: status.current) }
        let session = SessionManager(
            configuration: SessionConfiguration(validation: .acceptAny, circuitBreaker: breaker), transport: transport)
        let changes = breaker.changes
        for _ in 0..<3 { _ = try await session.send("http://h:8080/") }
        #expect(breaker.state(of: Load.url("h:8080")) == .open(probesIn: .seconds(30)))
        #expect(breaker.state(of: Load.url()) == .closed)

        clock.advance(by: .seconds(10))
        let error = await #expect(throws: HTTPError.self) { try await session.send("http://h:8080/") }
        guard case .circuitOpen("h:8080", .seconds(20)) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(error?.description.contains("h:8080") == true && error?.description.contains("20") == true)
        #expect(transport.requests.count == 3)
        // Another host is not concerned.
        _ = try await session.send("http://other/")

        clock.advance(by: .seconds(20))
        status.withLock { $0 = 200 }
        _ = try await session.send("http://h:8080/")
        #expect(breaker.state(of: Load.url("h:8080")) == .closed)
        var heard: [CircuitState] = []
        for await change in changes {
            #expect(change.host == "h:8080")
            heard.append(change.state)
            if heard.count == 3 { break }
        }
        #expect(heard == [.open(probesIn: .seconds(30)), .halfOpen, .closed])
    }

    @Test func `requests in the queue are refused when their turn comes`() async throws {
        let breaker = CircuitBreaker(CircuitPolicy(trip: .consecutiveFailures(1)), clock: TestClock())
        let gate = LoopbackGate()
        let transport = StubTransport { _ in
            try await gate.wait()
            throw HTTPError.connectionFailed(reason: "refused")
        }
        let session = SessionManager(
            configuration: SessionConfiguration(limits: RequestLimits(maximumPerHost: 1), circuitBreaker: breaker),
            transport: transport)
        let requests = (0..<10).map { _ in session.request("http://h/") }
        #expect(await eventually { session.load.limiter?.counts.waiting == 9 })
        gate.open()
        var refused = 0
        for request in requests {
            do {
                _ = try await request.response()
            } catch .circuitOpen {
                refused += 1
            } catch {}
        }
        #expect(refused == 9 && transport.requests.count == 1)
    }

    @Test func `a refusal is not retried, and every attempt counts`() async {
        let breaker = CircuitBreaker(policy, clock: TestClock())
        let transport = StubTransport { _ in throw HTTPError.connectionFailed(reason: "refused") }
        let session = SessionManager(
            configuration: SessionConfiguration(
                retry: RetryPolicy(limit: 10, baseDelay: .zero), circuitBreaker: breaker), transport: transport)
        let error = await #expect(throws: HTTPError.self) { try await session.send("http://h/") }
        guard case .circuitOpen = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(transport.requests.count == 3)
    }

    @Test func `one probe at a time, and a cancelled one makes room`() async throws {
        let clock = TestClock()
        let breaker = CircuitBreaker(CircuitPolicy(trip: .consecutiveFailures(1)), clock: clock)
        let origin = Origin(Load.url())
        breaker.leave(origin, generation: try breaker.enter(origin), .failure)
        clock.advance(by: .seconds(30))
        let transport = StubTransport { exchange in
            if exchange.request.url.path == "/slow" { try await Task.sleep(for: .seconds(60)) }
            return .stub(for: exchange)
        }
        let session = SessionManager(
            configuration: SessionConfiguration(circuitBreaker: breaker), transport: transport)
        let probe = session.request("http://h/slow")
        #expect(await eventually { transport.requests.count == 1 })
        let error = await #expect(throws: HTTPError.self) { try await session.send("http://h/") }
        guard case .circuitOpen(_, .zero) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        probe.cancel()
        // The cancelled exchange reports when its task has seen the cancel.
        var answered = false
        #expect(
            await eventually {
                answered = answered || !breaker.isRefusing(origin)
                return answered
            })
        _ = try await session.send("http://h/")
        #expect(breaker.state(of: Load.url()) == .closed)
    }

    @Test func `reset closes all`() throws {
        let breaker = CircuitBreaker(CircuitPolicy(trip: .consecutiveFailures(1)), clock: TestClock())
        let origin = Origin(Load.url())
        breaker.leave(origin, generation: try breaker.enter(origin), .failure)
        #expect(breaker.state(of: Load.url()) != .closed)
        breaker.reset()
        #expect(breaker.state(of: Load.url()) == .closed)
        #expect(throws: Never.self) { try breaker.enter(origin) }
    }

    @Test func `many at once open it once`() async {
        for _ in 0..<(Sanitizer.isThread ? 5 : 50) {
            let breaker = CircuitBreaker(policy, clock: TestClock())
            let changes = Collector<CircuitChange>()
            let stream = breaker.changes
            let listener = Task { for await change in stream { changes.add(change) } }
            let origin = Origin(Load.url())
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        guard let generation = try? breaker.enter(origin) else { return }
                        await Task.yield()
                        breaker.leave(origin, generation: generation, .failure)
                    }
                }
            }
            #expect(await eventually { changes.count == 1 })
            listener.cancel()
        }
    }
}

extension CircuitBreaker {
    fileprivate func isRefusing(_ origin: Origin) -> Bool {
        (try? check(origin)) == nil
    }
}
