/// When a failed request is sent again.
///
/// Only idempotent methods are retried (RFC 9110, section 9.2.2) unless ``allowsNonIdempotent`` says otherwise, and only
/// when the body can be produced again.
public struct RetryPolicy: Hashable, Sendable {
    /// The number of retries after the first attempt.
    public var limit: Int
    /// The wait before the first retry; it doubles each time.
    public var baseDelay: Duration
    /// The longest wait, `Retry-After` included.
    public var maximumDelay: Duration
    /// Whether POST, PATCH and unknown methods may be sent again.
    public var allowsNonIdempotent: Bool

    /// Makes a policy.
    public init(
        limit: Int = 2, baseDelay: Duration = .milliseconds(500), maximumDelay: Duration = .seconds(60),
        allowsNonIdempotent: Bool = false
    ) {
        self.limit = limit
        self.baseDelay = baseDelay
        self.maximumDelay = maximumDelay
        self.allowsNonIdempotent = allowsNonIdempotent
    }

    /// Never send again: a session's default.
    public static let never = RetryPolicy(limit: 0)
}
