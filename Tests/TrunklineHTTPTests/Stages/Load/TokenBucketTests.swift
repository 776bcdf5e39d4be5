import Testing
import TrunklineTesting

@testable import TrunklineHTTP

@Suite struct TokenBucketTests {
    @Test func `a burst, then one by one`() {
        var bucket = TokenBucket(RateLimit(10, per: .seconds(1), burst: 3), now: .seconds(5))
        for _ in 0..<3 { #expect(bucket.take(now: .seconds(5)) == true) }
        #expect(bucket.take(now: .seconds(5)) == false)
        #expect(bucket.wait(now: .seconds(5)) == .milliseconds(100))
        #expect(bucket.wait(now: .seconds(5), behind: 4) == .milliseconds(500))
        #expect(bucket.take(now: .milliseconds(5099)) == false)
        #expect(bucket.take(now: .milliseconds(5100)) == true)
        #expect(bucket.wait(now: .milliseconds(5100)) == .milliseconds(100))
        // After a quiet time it is full, and never more than full.
        for _ in 0..<3 { #expect(bucket.take(now: .seconds(100)) == true) }
        #expect(bucket.take(now: .seconds(100)) == false)
    }

    /// Values a caller may well give: no trap, and the nearest sensible meaning.
    @Test(arguments: [Int.min, -1, 0, 1, 7, 1 << 40, Int.max], [Int.min, 0, 1, 3, 1 << 40, Int.max])
    func `no setting traps`(requests: Int, burst: Int) {
        let intervals: [Duration] = [
            .zero, .seconds(-1), .nanoseconds(1), .seconds(1), .seconds(Int64.max), .seconds(Int64.min),
        ]
        for interval in intervals {
            var bucket = TokenBucket(RateLimit(requests, per: interval, burst: burst), now: .zero)
            #expect(bucket.take(now: .zero) == true)
            _ = bucket.take(now: .zero)
            #expect(bucket.wait(now: .zero, behind: .max) >= .zero)
            if interval <= .zero { #expect(bucket.wait(now: .zero) == .zero) }
            _ = bucket.isFull(now: .seconds(1))
        }
    }

    /// Whatever the arrivals, no window of the interval holds more than burst + rate.
    @Test func `the rate holds over every window`() {
        var random = SeededRandom(seed: 3)
        var bucket = TokenBucket(RateLimit(5, per: .seconds(1), burst: 2), now: .zero)
        var taken: [Duration] = []
        var now = Duration.zero
        for _ in 0..<3000 {
            now += .milliseconds(Int.random(in: 0..<150, using: &random))
            if bucket.take(now: now) { taken.append(now) }
        }
        for (index, time) in taken.enumerated() {
            let inWindow = taken[index...].prefix { $0 < time + .seconds(1) }.count
            #expect(inWindow <= 2 + 5)
        }
        #expect(taken.count > 1000)
    }
}
