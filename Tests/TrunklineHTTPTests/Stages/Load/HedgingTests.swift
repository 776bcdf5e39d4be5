import Foundation
import Testing
import TrunklineTesting

@testable import TrunklineHTTP

@Suite struct HedgingTests {
    private struct Attempt: Sendable {
        let number: Int
        let exchange: Exchange
    }

    /// A transport whose attempts are answered by number.
    private func transport(
        _ answer: @escaping @Sendable (Int, Exchange) async throws -> HTTPResponse
    ) -> StubTransport {
        let count = Protected(0)
        return StubTransport { exchange in
            let number = count.withLock { count in
                defer { count += 1 }
                return count
            }
            return try await answer(number, exchange)
        }
    }

    private func hang() async throws -> HTTPResponse {
        try await Task.sleep(for: .seconds(600))
        throw HTTPError.offline
    }

    private func next(
        _ policy: HedgingPolicy?, _ clock: TestClock, _ transport: any Transport,
        permit: @escaping @Sendable (Origin) -> HedgePermit? = { _ in HedgePermit() }
    ) -> Next {
        Load.next([HedgingStage(defaultPolicy: policy, timeline: Timeline(clock), permit: permit)], transport)
    }

    /// Ends of attempts (number, good) in order → the attempt delivered.
    @Test(arguments: [
        (1, [(0, true)], 0), (1, [(0, false)], 0), (2, [(1, true)], 1), (2, [(0, true)], 0),
        (2, [(0, false), (1, true)], 1), (2, [(1, false), (0, true)], 0), (2, [(1, false), (0, false)], 1),
        (3, [(2, false), (0, false), (1, true)], 1), (3, [(2, false), (1, false), (0, false)], 2),
    ])
    func `whose outcome is the request's`(started: Int, ends: [(Int, Bool)], delivered: Int) {
        var machine = HedgeMachine(maximumAttempts: 3)
        for number in 1..<max(1, started) { #expect(machine.start() == number) }
        for (index, end) in ends.enumerated() {
            let action = machine.end(attempt: end.0, isGood: end.1)
            #expect(action == (index == ends.count - 1 ? .deliver(attempt: delivered) : .wait))
        }
    }

    @Test func `after the delay a second attempt is sent, its answer wins and the first is cancelled`() async throws {
        let clock = TestClock()
        let cancelled = Collector<Int>()
        let transport = transport { number, exchange in
            guard number == 0 else { return .stub(for: exchange, data: Data("second".utf8)) }
            do { return try await hang() } catch {
                cancelled.add(number)
                throw error
            }
        }
        let next = next(HedgingPolicy(after: .seconds(1)), clock, transport)
        let request = Task { try await next(Load.exchange()) }
        await clock.waitForSleepers()
        clock.advance(by: .milliseconds(999))
        #expect(transport.requests.count <= 1)
        clock.advance(by: .milliseconds(1))
        #expect(try await request.value.data == Data("second".utf8))
        #expect(cancelled.all == [0] && transport.requests.count == 2)
    }

    @Test func `an answer in time sends nothing twice`() async throws {
        let transport = StubTransport { .stub(for: $0) }
        let clock = TestClock()
        _ = try await next(HedgingPolicy(after: .seconds(1)), clock, transport)(Load.exchange())
        #expect(transport.requests.count == 1 && clock.sleeperCount == 0)
    }

    @Test func `a failure waits for the attempts that are under way, and is not hedged by itself`() async throws {
        let clock = TestClock()
        let gate = LoopbackGate()
        let transport = transport { number, exchange in
            if number == 1 { throw HTTPError.connectionFailed(reason: "refused") }
            try await gate.wait()
            return .stub(for: exchange)
        }
        let hedged = next(HedgingPolicy(after: .seconds(1), maximumAttempts: 2), clock, transport)
        let request = Task { try await hedged(Load.exchange()) }
        await clock.waitForSleepers()
        clock.advance(by: .seconds(1))
        #expect(await eventually { transport.requests.count == 2 })
        gate.open()
        #expect(try await request.value.statusCode == 200)

        let failing = StubTransport { _ in throw HTTPError.timedOut(.idle) }
        let alone = next(HedgingPolicy(after: .seconds(1)), clock, failing)
        await #expect(throws: HTTPError.self) { try await alone(Load.exchange()) }
        #expect(failing.requests.count == 1)
    }

    @Test func `no more attempts than allowed`() async throws {
        let clock = TestClock()
        let transport = transport { _, _ in try await hang() }
        let hedged = next(HedgingPolicy(after: .seconds(1), maximumAttempts: 3), clock, transport)
        let request = Task { try await hedged(Load.exchange()) }
        for count in 1...2 {
            await clock.waitForSleepers()
            clock.advance(by: .seconds(1))
            #expect(await eventually { transport.requests.count == count + 1 })
        }
        #expect(clock.sleeperCount == 0)
        request.cancel()
        #expect(await request.result.httpError?.isCancelled != false)
    }

    /// Never for what changes something, can't be sent again, or goes to one place.
    @Test func `what is never sent twice`() async throws {
        let policy = HedgingPolicy(after: .zero, maximumAttempts: 5)
        let file = BodyDelivery.file(URL(fileURLWithPath: "/dev/null"))
        let requests: [(HTTPRequest, Bool)] = [
            (HTTPRequest(url: Load.url()), true), (HTTPRequest(method: .head, url: Load.url()), true),
            (HTTPRequest(method: .query, url: Load.url(), body: .data(Data())), true),
            (HTTPRequest(method: .query, url: Load.url(), body: .oneShot(RequestBody.Chunks { nil })), false),
            (HTTPRequest(method: .post, url: Load.url()), false), (HTTPRequest(method: .put, url: Load.url()), false),
            (HTTPRequest(url: Load.url(), options: RequestOptions(delivery: .stream)), false),
            (HTTPRequest(url: Load.url(), options: RequestOptions(delivery: file)), false),
        ]
        for (request, applies) in requests { #expect(policy.applies(to: request) == applies) }
        for attempts in [1, 0, -3] {
            #expect(!HedgingPolicy(after: .zero, maximumAttempts: attempts).applies(to: HTTPRequest(url: Load.url())))
        }
        #expect(!HedgingPolicy.never.applies(to: HTTPRequest(url: Load.url())))
    }

    @Test func `without a free place there is no second attempt, and with one it is given back`() async throws {
        let clock = TestClock()
        let transport = transport { number, exchange in
            if number < 2 { return try await hang() }
            return .stub(for: exchange)
        }
        let configuration = SessionConfiguration(
            limits: RequestLimits(maximumPerHost: 2), hedging: HedgingPolicy(after: .seconds(1)))
        let stages = LoadStages(configuration, clock: clock)
        let next = Load.next(stages.limits + [stages.hedging], transport)
        // Two requests fill both places: no hedges.
        let first = Task { try await next(Load.exchange()) }
        let second = Task { try await next(Load.exchange()) }
        await clock.waitForSleepers(2)
        #expect(await eventually { transport.requests.count == 2 })
        clock.advance(by: .seconds(1))
        await clock.waitForSleepers(2)
        #expect(transport.requests.count == 2)
        // With one of them gone there is room for the other's second attempt, a delay later.
        first.cancel()
        _ = await first.result
        clock.advance(by: .seconds(1))
        #expect(try await second.value.statusCode == 200)
        #expect(await eventually { stages.limiter?.counts.running == 0 })
    }

    @Test func `progress never goes back`() async throws {
        let clock = TestClock()
        let transport = transport { number, exchange in
            for bytes in number == 0 ? [10, 20, 30] : [10, 40] {
                exchange.progress?.received?(TransferProgress(completed: Int64(bytes), total: 40))
            }
            if number == 0 { return try await hang() }
            return .stub(for: exchange)
        }
        let heard = Collector<Int64>()
        let hedged = next(HedgingPolicy(after: .seconds(1)), clock, transport)
        let request = Task {
            var exchange = Load.exchange()
            exchange.progress = ProgressObserver(received: { heard.add($0.completed) })
            return try await hedged(exchange)
        }
        await clock.waitForSleepers()
        #expect(await eventually { heard.count == 3 })
        clock.advance(by: .seconds(1))
        _ = try await request.value
        #expect(heard.all == [10, 20, 30, 40])
    }

    @Test func `one line turns it on for a request or a session, and off for a request`() async throws {
        for (session, request, count) in [(true, nil, 2), (false, HedgingPolicy(after: .zero), 2), (true, .never, 1)] {
            let transport = transport { number, exchange in
                // Held until there is a second attempt, where there is to be one.
                if number == 0, count == 2 { return try await hang() }
                return .stub(for: exchange)
            }
            let manager = SessionManager(
                configuration: SessionConfiguration(hedging: session ? HedgingPolicy(after: .zero) : nil),
                transport: transport)
            _ = try await manager.send(HTTPRequest(url: Load.url(), options: RequestOptions(hedging: request)))
            #expect(transport.requests.count == count)
        }
    }
}
