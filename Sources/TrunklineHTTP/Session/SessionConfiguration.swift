import Foundation

/// The settings of a session, copied when the session is made: changing a copy afterwards changes nothing.
public struct SessionConfiguration: Sendable {
    /// Header fields of every request of the session; a service's, an endpoint's and an interceptor's win over them.
    public var headers: HTTPHeaders
    /// The limits of requests that set none.
    public var timeouts: Timeouts
    /// How redirects are answered; by default followed, up to 20.
    public var redirects: RedirectPolicy
    /// What the cache may do for requests that don't say; by default nothing.
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

    /// Makes a configuration; what is left out keeps its default.
    public init(
        headers: HTTPHeaders = .standard, timeouts: Timeouts = Timeouts(), redirects: RedirectPolicy = .follow(),
        cachePolicy: CachePolicy = .networkOnly, retry: RetryPolicy = .never, validation: ResponseValidation = .success,
        cookies: CookieStore? = nil, startsRequestsImmediately: Bool = true,
        authentication: (any Authentication)? = nil, transferDirectory: URL? = nil
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
    }
}
