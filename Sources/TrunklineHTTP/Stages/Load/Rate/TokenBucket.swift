/// A token bucket as a value: one number instead of a level and a time.
///
/// The generic cell rate algorithm (ITU-T I.371): `fullAt` is when the bucket will be full again. Every token taken moves
/// it on by the time one token needs, and a token is there while it lies at most a whole bucket ahead.
struct TokenBucket: Hashable, Sendable {
    /// The time one token needs.
    private let spacing: Duration
    /// How far ahead ``fullAt`` may lie for a token to be there: the time all tokens but one need.
    private let slack: Duration
    private var fullAt: Duration

    /// A full bucket.
    init(_ limit: RateLimit, now: Duration) {
        // The bounds keep the products below what a duration can hold.
        let tokens = Int64(min(max(1, limit.burst), 1 << 30))
        spacing = min(max(.zero, limit.interval), Timeline.longest) / max(1, limit.requests)
        slack = min(spacing, Timeline.longest / tokens) * (tokens - 1)
        fullAt = now
    }

    /// The wait for the next token when this many others are taken before it; zero when it is there.
    func wait(now: Duration, behind others: Int = 0) -> Duration {
        // Bounded like the rest: a wait that long is "never".
        let ahead = min(spacing, Timeline.longest / max(1, others)) * max(0, others)
        return max(.zero, max(fullAt, now) + ahead - slack - now)
    }

    /// Takes a token; false, and nothing taken, when none is there.
    mutating func take(now: Duration) -> Bool {
        guard wait(now: now) <= .zero else { return false }
        fullAt = max(fullAt, now) + spacing
        return true
    }

    /// Whether it is as good as new.
    func isFull(now: Duration) -> Bool { fullAt <= now }
}
