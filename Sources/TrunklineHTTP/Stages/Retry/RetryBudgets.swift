/// The buckets of a session's hosts; see ``RetryBudget``.
package final class RetryBudgets: Sendable {
    private struct Bucket: Sendable {
        var tokens: Double
        var filledAt: Duration

        mutating func refill(_ budget: RetryBudget, plus more: Double, at time: Duration) {
            let seconds = max(0, (time - filledAt).seconds)
            tokens = min(budget.reserve, tokens + more + seconds * budget.perSecond)
            filledAt = max(filledAt, time)
        }
    }

    /// Above this number all hosts are forgotten: a forgotten bucket is a full one.
    private static let mostHosts = 1000

    private let buckets = Protected<[Origin: Bucket]>([:])
    private let uptime: @Sendable () -> Duration

    /// Makes full buckets.
    ///
    /// - Parameter clock: measures the time that fills them.
    package init(clock: any Clock<Duration> = ContinuousClock()) { uptime = RetryBudgets.uptime(of: clock) }

    /// Counts a request.
    func noteRequest(to host: Origin, _ budget: RetryBudget) {
        let budget = budget.sane
        let time = uptime()
        buckets.withLock { buckets in
            // A full bucket stays full: nothing to keep.
            guard var bucket = buckets[host] else { return }
            bucket.refill(budget, plus: budget.ratio, at: time)
            buckets[host] = bucket.tokens < budget.reserve ? bucket : nil
        }
    }

    /// Takes a token for a retry; false when there is none.
    func takeRetry(of host: Origin, _ budget: RetryBudget) -> Bool {
        let budget = budget.sane
        let time = uptime()
        return buckets.withLock { buckets in
            var bucket = buckets[host] ?? Bucket(tokens: budget.reserve, filledAt: time)
            bucket.refill(budget, plus: 0, at: time)
            defer { buckets[host] = bucket }
            guard bucket.tokens >= 1 else { return false }
            bucket.tokens -= 1
            if buckets.count > Self.mostHosts { buckets = [:] }
            return true
        }
    }

    /// The time since this call, read from the clock.
    static func uptime(of clock: some Clock<Duration>) -> @Sendable () -> Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }
}
