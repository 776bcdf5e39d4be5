/// When a failed request is sent again.
///
/// A request is retried after a status of ``statuses``, a lost or refused connection, an unresolved name, and the connect
/// and idle limits; never after a TLS failure, a refused validation, a cancel, or an error of the app's own. Only
/// idempotent methods are retried (RFC 9110, section 9.2.2) unless the request has an idempotency key
/// (``idempotencyKeyField``) or ``allowsNonIdempotent`` is set, and only when the body can be produced again.
///
/// The wait before a retry is a random part of ``baseDelay``, doubled with each retry ("full jitter"), and at least what
/// the server's `Retry-After` asks for, and at most ``maximumDelay``. When no retry is made any more, the last outcome
/// stands as it is.
public struct RetryPolicy: Hashable, Sendable {
    /// The number of retries after the first attempt; by default 2.
    public var limit: Int
    /// The upper end of the wait before the first retry; it doubles each time. By default 0.5 s.
    public var baseDelay: Duration
    /// The longest wait, `Retry-After` included: a server that asks for more is asked again after this. By default 60 s.
    public var maximumDelay: Duration
    /// Whether POST, PATCH and unknown methods may be sent again without an idempotency key; by default not.
    public var allowsNonIdempotent: Bool
    /// The statuses that are retried; by default ``retryableStatuses``.
    public var statuses: Set<Int>
    /// The time from the first attempt in which the last retry must begin, or nil for none. A retry whose wait would end
    /// later isn't waited for. An attempt under way is not cut off; ``Timeouts/total`` does that. By default none.
    public var totalDeadline: Duration?
    /// What a host's requests may cost in retries, or nil for no limit. By default ``RetryBudget``'s own defaults.
    public var budget: RetryBudget?
    /// The name of the header field that carries an idempotency key, ``standardIdempotencyKeyField`` for most servers, or
    /// nil for none. Requests with a method that is not idempotent then get a random key, unless they have one, the same
    /// in all attempts and replays, and may be retried. Only for servers that know the field. By default nil.
    public var idempotencyKeyField: String?

    /// Makes a policy; what is left out keeps its default.
    public init(
        limit: Int = 2, baseDelay: Duration = .milliseconds(500), maximumDelay: Duration = .seconds(60),
        allowsNonIdempotent: Bool = false, statuses: Set<Int> = RetryPolicy.retryableStatuses,
        totalDeadline: Duration? = nil, budget: RetryBudget? = RetryBudget(), idempotencyKeyField: String? = nil
    ) {
        self.limit = limit
        self.baseDelay = baseDelay
        self.maximumDelay = maximumDelay
        self.allowsNonIdempotent = allowsNonIdempotent
        self.statuses = statuses
        self.totalDeadline = totalDeadline
        self.budget = budget
        self.idempotencyKeyField = idempotencyKeyField
    }

    /// Never send again: a session's default.
    public static let never = RetryPolicy(limit: 0)

    /// Statuses that say "later": 408, 425, 429 and the 5xx a server or gateway recovers from (500, 502, 503, 504).
    public static let retryableStatuses: Set<Int> = [408, 425, 429, 500, 502, 503, 504]

    /// `Idempotency-Key`, the field of the IETF draft and of most payment services.
    public static let standardIdempotencyKeyField = "Idempotency-Key"
}
