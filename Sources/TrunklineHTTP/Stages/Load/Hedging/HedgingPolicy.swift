/// Against the slowest few answers: a request that has no answer after a while is sent a second time, and the first good
/// answer is taken.
///
///     configuration.hedging = HedgingPolicy(after: .milliseconds(300))
///
/// Only for safe methods (RFC 9110, section 9.2.1) whose body, if any, can be sent again, and only for answers delivered
/// as data: two attempts can't write one file or feed one stream. The delay counts from sending, not from the queue.
///
/// A second attempt is extra load, so it never waits for anything and displaces nobody: it is left out while it finds no
/// free place under the ``RequestLimits``, no token of the ``RateLimit`` or a ``CircuitBreaker`` that isn't closed. A good
/// answer is one with a status below 500. The other attempts are cancelled as soon as there is one; where no attempt
/// brings one, the first one's outcome stands. Errors don't bring the next attempt forward: that is the ``RetryPolicy``'s
/// part, which sees all attempts of a hedge as one.
public struct HedgingPolicy: Hashable, Sendable {
    /// How long an attempt goes without an answer before the next is sent. Choose about the 95th percentile of the answer
    /// times, which sends 5 % more.
    public var delay: Duration
    /// The most attempts, the first included; by default 2. Values below 2 hedge nothing.
    public var maximumAttempts: Int

    /// Makes a policy.
    public init(after delay: Duration, maximumAttempts: Int = 2) {
        self.delay = delay
        self.maximumAttempts = maximumAttempts
    }

    /// One attempt only: for a request of a session that hedges.
    public static let never = HedgingPolicy(after: .zero, maximumAttempts: 1)

    /// Whether the request may be sent twice at the same time.
    func applies(to request: HTTPRequest) -> Bool {
        maximumAttempts > 1 && request.method.isSafe && request.body?.isReplayable != false
            && request.options.delivery == .data
    }
}
