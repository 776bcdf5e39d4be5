/// How many requests may be sent in a time: a token bucket. Every attempt takes one token, retries included; the bucket
/// fills again evenly.
///
///     configuration.rateLimit = RateLimit(10, per: .seconds(1))
///
/// A request without a token waits for one, in the order of arrival, within the places of ``RequestLimits`` and holding
/// its own. Cancelling it ends its wait at once, and the others move up. The wait counts towards no limit of
/// ``Timeouts``.
public struct RateLimit: Hashable, Sendable {
    /// What shares one bucket.
    public enum Scope: Hashable, Sendable {
        /// The requests to one scheme, host and port.
        case host
        /// All requests of the session.
        case session
    }

    /// The requests in each ``interval``. Values below 1 count as 1.
    public var requests: Int
    /// The time in which ``requests`` may be sent. Zero or less limits nothing.
    public var interval: Duration
    /// The most requests sent at once after a quiet time: the size of the bucket. Values below 1 count as 1.
    public var burst: Int
    /// What shares one bucket; by default the requests to one host.
    public var scope: Scope
    /// The longest wait for a token; a request that would have to wait longer fails at once with
    /// ``HTTPError/rateLimited(host:wait:)``. Nil, the default, for no limit.
    public var maximumWait: Duration?

    /// Makes a limit.
    ///
    /// - Parameters:
    ///   - requests: how many in each interval.
    ///   - interval: the time they are counted in.
    ///   - burst: how many at once; by default as many as in an interval.
    ///   - scope: what shares one bucket.
    ///   - maximumWait: the longest wait for a token, or nil.
    public init(
        _ requests: Int, per interval: Duration, burst: Int? = nil, scope: Scope = .host, maximumWait: Duration? = nil
    ) {
        self.requests = requests
        self.interval = interval
        self.burst = burst ?? requests
        self.scope = scope
        self.maximumWait = maximumWait
    }
}
