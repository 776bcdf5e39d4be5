/// The settings of an outbox.
public struct OutboxConfiguration: Sendable {
    /// What becomes of an entry the server refused for good (a 4xx other than 401, 407, 408, 425 and 429).
    public enum Refusal: Hashable, Sendable {
        /// It is dropped and reported, and the lane goes on.
        case drop
        /// It stays at the head of its lane, which waits until the app decides.
        case park
    }

    /// What becomes of a refused entry; by default it is dropped. One refused with 401 or 407 is always parked: somebody
    /// has to log in. So is one that an interceptor made impossible to send: no server has refused it.
    public var refusal: Refusal
    /// How old an entry may get before it is given up; by default 7 days. Nil for no limit.
    public var maximumAge: Duration?
    /// How many attempts an entry may take that may have reached the server; by default no limit.
    public var maximumAttempts: Int?
    /// The wait after the first failure, doubled with each; by default 1 s. Between half of it and all is waited, at
    /// random, and never less than a `Retry-After` of up to a day.
    public var baseDelay: Duration
    /// The longest wait but for a `Retry-After`; by default 5 minutes.
    public var maximumDelay: Duration
    /// Header fields that are credentials, refused in ``Outbox/enqueue(_:service:lane:)``; names without regard to case.
    public var credentialFields: Set<String>
    /// Whether sound entries that the sealer can't open are set aside like damaged ones. By default not: the outbox can't
    /// be opened then, and nothing is lost.
    public var setsAsideUnsealable: Bool

    /// Makes a configuration; what is left out keeps its default.
    public init(
        refusal: Refusal = .drop, maximumAge: Duration? = .seconds(7 * 86_400), maximumAttempts: Int? = nil,
        baseDelay: Duration = .seconds(1), maximumDelay: Duration = .seconds(300),
        credentialFields: Set<String> = [
            "Authorization", "Proxy-Authorization", "Cookie", "X-API-Key", "X-Auth-Token",
        ],
        setsAsideUnsealable: Bool = false
    ) {
        self.refusal = refusal
        self.maximumAge = maximumAge
        self.maximumAttempts = maximumAttempts
        self.baseDelay = baseDelay
        self.maximumDelay = maximumDelay
        self.credentialFields = credentialFields
        self.setsAsideUnsealable = setsAsideUnsealable
    }
}
