import Foundation
import Testing
import TrunklineTesting

@testable import TrunklineHTTP

@Suite struct RateLimiterTests {
    private let origin = Origin(Load.url())

    @Test func `requests wait in order for their tokens`() async throws {
        let clock = TestClock()
        let limiter = RateLimiter(RateLimit(1, per: .seconds(1)), clock: clock)
        let timer = RecordingTimer()
        let served = Collector<Int>()
        try await limiter.take(origin, timer: timer)
        #expect(timer.paused == 0)
        var tasks: [Task<Void, any Error>] = []
        for index in 0..<5 {
            tasks.append(
                Task {
                    try await limiter.take(origin, timer: timer)
                    served.add(index)
                })
            #expect(await eventually { limiter.waiting == index + 1 })
        }
        for count in 1...5 {
            await clock.waitForSleepers()
            #expect(served.count == count - 1)
            clock.advance(by: .seconds(1))
            #expect(await eventually { served.count == count })
        }
        for task in tasks { try await task.value }
        #expect(served.all == [0, 1, 2, 3, 4])
        #expect(timer.paused == 5 && timer.resumed == 5)
    }

    @Test func `a cancelled one leaves at once and the others move up`() async throws {
        let clock = TestClock()
        let limiter = RateLimiter(RateLimit(1, per: .seconds(1)), clock: clock)
        try await limiter.take(origin, timer: nil)
        let first = Task { try await limiter.take(origin, timer: nil) }
        #expect(await eventually { limiter.waiting == 1 })
        let second = Task { try await limiter.take(origin, timer: nil) }
        #expect(await eventually { limiter.waiting == 2 })
        await clock.waitForSleepers()
        first.cancel()
        #expect(await first.result.httpError?.isCancelled == true)
        #expect(limiter.waiting == 1)
        clock.advance(by: .seconds(1))
        try await second.value
        // When all have left, nobody sleeps for them.
        let third = Task { try await limiter.take(origin, timer: nil) }
        await clock.waitForSleepers()
        third.cancel()
        _ = await third.result
        #expect(await eventually { clock.sleeperCount == 0 })
        #expect(limiter.waiting == 0)
        // And the line works again after that.
        let fourth = Task { try await limiter.take(origin, timer: nil) }
        await clock.waitForSleepers()
        clock.advance(by: .seconds(1))
        try await fourth.value
    }

    @Test func `a wait that would be too long is refused at once, with the wait`() async throws {
        let clock = TestClock()
        let limiter = RateLimiter(
            RateLimit(1, per: .seconds(10), maximumWait: .seconds(15)), clock: clock)
        try await limiter.take(origin, timer: nil)
        let waiting = Task { try await limiter.take(origin, timer: nil) }
        #expect(await eventually { limiter.waiting == 1 })
        let error = await #expect(throws: HTTPError.self) { try await limiter.take(origin, timer: nil) }
        guard case .rateLimited("h", .seconds(20)) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(limiter.waiting == 1)
        waiting.cancel()
        _ = await waiting.result
    }

    @Test(arguments: [RateLimit.Scope.host, .session])
    func `buckets are for hosts or for the session`(scope: RateLimit.Scope) {
        let limiter = RateLimiter(RateLimit(1, per: .seconds(1), scope: scope), clock: TestClock())
        #expect(limiter.takeNow(origin))
        #expect(limiter.takeNow(Origin(Load.url("other"))) == (scope == .host))
        #expect(!limiter.takeNow(origin))
    }

    @Test func `buckets that are full again are forgotten`() {
        let clock = TestClock()
        let limiter = RateLimiter(RateLimit(1, per: .seconds(1)), clock: clock)
        for index in 0..<2000 {
            clock.advance(by: .milliseconds(100))
            #expect(limiter.takeNow(Origin(Load.url("h\(index)"))))
        }
        #expect(limiter.bucketCount <= 256)
    }

    @Test func `a session sends no faster`() async throws {
        let transport = StubTransport { .stub(for: $0) }
        let configuration = SessionConfiguration(rateLimit: RateLimit(2, per: .seconds(1)))
        let clock = TestClock()
        let stages = LoadStages(configuration, clock: clock)
        let next = Load.next(stages.limits, transport)
        let requests = (0..<6).map { _ in Task { try await next(Load.exchange()) } }
        for count in [2, 3, 4, 5] {
            await clock.waitForSleepers()
            #expect(await eventually { transport.requests.count == count })
            clock.advance(by: .milliseconds(500))
        }
        for request in requests { _ = try await request.value }
        #expect(transport.requests.count == 6)
    }

    @Test func `many rounds with cancels lose nobody`() async {
        for round in 0..<(Sanitizer.isThread ? 5 : 30) {
            let limiter = RateLimiter(RateLimit(100_000, per: .seconds(1), burst: 5), clock: ContinuousClock())
            let tasks = (0..<60).map { _ in Task { try await limiter.take(origin, timer: nil) } }
            for (index, task) in tasks.enumerated() where (index + round) % 3 == 0 { task.cancel() }
            for (index, task) in tasks.enumerated() {
                let result = await task.result
                if (index + round) % 3 != 0 { #expect(throws: Never.self) { try result.get() } }
            }
            #expect(limiter.waiting == 0)
        }
    }
}
