/// What the pipeline does with a request, apart from the bytes it sends. Every field has a default that changes nothing.
public struct RequestOptions: Sendable {
    /// The time limits, or nil for the session's.
    public var timeouts: Timeouts?
    /// How redirects are answered, or nil for the session's policy.
    public var redirects: RedirectPolicy?
    /// What the cache may do, or nil for the session's policy.
    public var cache: CachePolicy?
    /// Whose cache entries the request may read and write; by default those of nobody in particular.
    public var cachePartition: CachePartition
    /// A cache key of the caller's own, in the place of the one made from the request. It says that the request only
    /// reads, so that the answer to a POST may be stored too. Its partition is the one used.
    public var cacheKey: CacheKey?
    /// When the request is sent again after a failure, or nil for the session's policy.
    public var retry: RetryPolicy? {
        get { retryPolicy?.value }
        set { retryPolicy = newValue.map { Box($0) } }
    }
    /// One pointer: a request passes through every stage, and few have a policy of their own.
    private var retryPolicy: Box<RetryPolicy>?
    /// What counts as success, or nil for the session's rule.
    public var validation: ResponseValidation?
    /// Where the response body goes; by default into memory.
    public var delivery: BodyDelivery
    /// Words to find and cancel the request by.
    public var tags: Set<String>
    /// How the content of refused responses is read; by default it isn't.
    public var serverError: ServerErrorBody?
    /// Whose credential the request gets; by default the session's.
    public var authentication: RequestAuthentication
    /// The header fields of the credential the pipeline has put on the request, or nil where it has put none: the cache
    /// keeps the answer from other users, and logs keep the values to themselves.
    package internal(set) var credentialFields: [String]?
    /// How urgent the request is where it has to wait for others; by default ``RequestPriority/normal``.
    public var priority: RequestPriority
    /// Whether the request may share its exchange with identical ones, or nil for the session's
    /// ``SessionConfiguration/coalescesRequests``.
    public var coalesces: Bool?
    /// When the request is sent a second time for want of an answer, or nil for the session's policy.
    public var hedging: HedgingPolicy?
    /// What happens while there is no network, or nil for the session's policy.
    public var connectivity: ConnectivityPolicy?
    /// Signs the request each time it goes out; by default nothing does.
    public var signing: RequestSigner? {
        get { signer?.value }
        set { signer = newValue.map { Box($0) } }
    }
    private var signer: Box<RequestSigner>?
    /// Whether anything signs the request.
    var isSigned: Bool { signer != nil }

    /// Which of the two answers of ``CachePolicy/cacheThenNetwork`` is wanted.
    package var cacheTurn = CacheTurn.either

    /// Makes options; what is left out keeps the session's setting.
    public init(
        timeouts: Timeouts? = nil, redirects: RedirectPolicy? = nil, cache: CachePolicy? = nil,
        cachePartition: CachePartition = .shared, cacheKey: CacheKey? = nil, retry: RetryPolicy? = nil,
        validation: ResponseValidation? = nil, delivery: BodyDelivery = .data, tags: Set<String> = [],
        serverError: ServerErrorBody? = nil, authentication: RequestAuthentication = .inherit,
        priority: RequestPriority = .normal, coalesces: Bool? = nil, hedging: HedgingPolicy? = nil,
        connectivity: ConnectivityPolicy? = nil, signing: RequestSigner? = nil
    ) {
        self.timeouts = timeouts
        self.redirects = redirects
        self.cache = cache
        self.cachePartition = cachePartition
        self.cacheKey = cacheKey
        retryPolicy = retry.map { Box($0) }
        self.validation = validation
        self.delivery = delivery
        self.tags = tags
        self.serverError = serverError
        self.authentication = authentication
        self.priority = priority
        self.coalesces = coalesces
        self.hedging = hedging
        self.connectivity = connectivity
        signer = signing.map { Box($0) }
    }
}
