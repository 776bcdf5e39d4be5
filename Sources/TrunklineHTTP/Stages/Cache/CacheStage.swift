import Foundation

/// Stage 4: answers requests from a ``ResponseCache`` and stores answers in it, as the request's ``CachePolicy`` says.
///
/// What is done is decided by ``CacheDecision``; this type does it. Requests that change something always go to the server,
/// and what they make invalid is removed (RFC 9111, section 4.4). A cached answer is given without any wait when it is in memory.
/// It stands above the stages that know credentials, cookies and redirects: what is stored is the final answer, cookies of a
/// stored answer are not taken in again, and interim answers (1xx) never come this far.
public struct CacheStage: Interceptor {
    /// The store.
    public let cache: ResponseCache
    /// The policy of requests that have none.
    public let defaultPolicy: CachePolicy
    /// Names of request header fields that are part of the key.
    public let varyingHeaders: [String]
    /// Names of query items that are no part of the key: timestamps, nonces.
    public let ignoredQueryItems: Set<String>
    let flights: CacheFlights
    let variants: CacheVariants
    let now: @Sendable () -> Date

    /// Makes the stage.
    ///
    /// - Parameters:
    ///   - cache: the store.
    ///   - defaultPolicy: for requests that have none; by default ``CachePolicy/networkOnly``.
    ///   - headers: names of request header fields that are part of the key. What an answer's `Vary` names is taken
    ///     into account without being named here.
    ///   - ignored: names of query items that are no part of the key.
    ///   - now: the wall clock.
    public init(
        cache: ResponseCache, defaultPolicy: CachePolicy = .networkOnly, varying headers: [String] = [],
        ignoring ignored: Set<String> = [], now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.init(
            cache: cache, defaultPolicy: defaultPolicy, varying: headers, ignoring: ignored, flights: CacheFlights(),
            now: now)
    }

    /// - Parameter flights: those of the session.
    init(
        cache: ResponseCache, defaultPolicy: CachePolicy, varying headers: [String] = [],
        ignoring ignored: Set<String> = [], flights: CacheFlights, now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.cache = cache
        self.defaultPolicy = defaultPolicy
        varyingHeaders = headers
        ignoredQueryItems = ignored
        self.flights = flights
        variants = CacheVariants(cache: cache)
        self.now = now
    }

    public func intercept(_ exchange: Exchange, next: Next) async throws -> HTTPResponse {
        let policy = exchange.request.options.cache ?? defaultPolicy
        guard policy != .networkOnly else { return try await next(exchange) }
        return try await CacheVisit(stage: self, exchange: exchange, next: next, policy: policy).run()
    }

    /// The key of the request's entry. HEAD is answered from what GET has stored, by the policies that follow the server.
    func key(of request: HTTPRequest, policy: CachePolicy) -> CacheKey {
        if let key = request.options.cacheKey { return key }
        guard request.method == .head, policy.followsServer else { return key(of: request) }
        var asGet = request
        asGet.method = .get
        return key(of: asGet)
    }

    /// The key of the entry that GET of the URL has, for a request of another method.
    func key(ofGet url: URL, like request: HTTPRequest) -> CacheKey {
        var asGet = request
        asGet.method = .get
        asGet.url = url
        asGet.body = nil
        return key(of: asGet)
    }

    private func key(of request: HTTPRequest) -> CacheKey {
        CacheKey(
            request: request, partition: request.options.cachePartition, varying: varyingHeaders,
            ignoring: ignoredQueryItems)
    }
}
