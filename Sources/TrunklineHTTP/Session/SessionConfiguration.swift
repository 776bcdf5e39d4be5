import Foundation

/// The settings of a session, copied when the session is made: changing a copy afterwards changes nothing.
public struct SessionConfiguration: Sendable {
    /// Header fields of every request of the session; a service's, an endpoint's and an interceptor's win over them.
    public var headers: HTTPHeaders
    /// The limits of requests that set none.
    public var timeouts: Timeouts
    /// How redirects are answered; by default followed, up to 20.
    public var redirects: RedirectPolicy
    /// What the cache may do for requests that don't say; by default nothing. ``CachePolicy/standard`` turns on HTTP caching.
    public var cachePolicy: CachePolicy
    /// When failed requests are sent again; by default never.
    public var retry: RetryPolicy
    /// What counts as success; by default status 200 to 299.
    public var validation: ResponseValidation
    /// The session's cookies; by default nil: none are sent and none are kept.
    public var cookies: CookieStore?
    /// Whether a request is sent as soon as it is made; by default true. When false, ``DataRequest/resume()`` sends it.
    public var startsRequestsImmediately: Bool
    /// How requests get their credentials; by default nil: they have those of their own headers and no others.
    public var authentication: (any Authentication)?
    /// The directory for partial downloads and the state of uploads; by default nil: `trunkline-transfers` in the user's
    /// caches directory. It must be the app's own: the files in it decide what a resumed download consists of.
    public var transferDirectory: URL?
    /// Whether identical GET and HEAD requests in flight at the same time share one exchange; by default false. Identical
    /// are those with the same method, URL, header fields, cache partition and settings, without a body and delivered as
    /// data. Each can be cancelled alone; the exchange is cancelled with the last. The credential of
    /// ``authentication`` is not compared: give every user a ``CachePartition``, or cancel at log-out.
    public var coalescesRequests: Bool
    /// How many requests are on their way at the same time; by default not limited (by the session: transports have
    /// ``TransportConfiguration/maximumConnectionsPerHost``).
    public var limits: RequestLimits
    /// How many requests are sent in a time; by default nil: any number.
    public var rateLimit: RateLimit?
    /// Lets requests to a failing host fail at once; by default nil. May be shared between sessions.
    public var circuitBreaker: CircuitBreaker?
    /// When requests are sent a second time for want of an answer; by default nil: never.
    public var hedging: HedgingPolicy?
    /// What happens to requests while there is no network; by default they are sent, and fail.
    public var connectivity: ConnectivityPolicy
    /// What ``connectivity`` asks about the network; by default ``NetworkReachability/shared``.
    public var reachability: any ReachabilityProviding
    /// Who hears what happens to requests: loggers, recorders, meters; by default nobody, and nothing is spent on it.
    public var eventMonitors: [any EventMonitor]
    /// Whether requests carry their trace along; by default nil: they don't.
    public var tracing: TracePropagation?

    /// Makes a configuration; what is left out keeps its default.
    public init(
        headers: HTTPHeaders = .standard, timeouts: Timeouts = Timeouts(), redirects: RedirectPolicy = .follow(),
        cachePolicy: CachePolicy = .networkOnly, retry: RetryPolicy = .never, validation: ResponseValidation = .success,
        cookies: CookieStore? = nil, startsRequestsImmediately: Bool = true,
        authentication: (any Authentication)? = nil, transferDirectory: URL? = nil,
        coalescesRequests: Bool = false, limits: RequestLimits = .none, rateLimit: RateLimit? = nil,
        circuitBreaker: CircuitBreaker? = nil, hedging: HedgingPolicy? = nil, connectivity: ConnectivityPolicy = .fail,
        reachability: any ReachabilityProviding = NetworkReachability.shared, eventMonitors: [any EventMonitor] = [],
        tracing: TracePropagation? = nil
    ) {
        self.headers = headers
        self.timeouts = timeouts
        self.redirects = redirects
        self.cachePolicy = cachePolicy
        self.retry = retry
        self.validation = validation
        self.cookies = cookies
        self.startsRequestsImmediately = startsRequestsImmediately
        self.authentication = authentication
        self.transferDirectory = transferDirectory
        self.coalescesRequests = coalescesRequests
        self.limits = limits
        self.rateLimit = rateLimit
        self.circuitBreaker = circuitBreaker
        self.hedging = hedging
        self.connectivity = connectivity
        self.reachability = reachability
        self.eventMonitors = eventMonitors
        self.tracing = tracing
    }
}
