import Foundation

/// Answers requests from a ``ResponseCache`` and stores answers in it, as the request's ``CachePolicy`` says.
///
/// Requests that change something always go to the server. Requests whose body goes to a file or a stream, and partial
/// or conditional ones, pass through unstored; ``CachePolicy/cacheOnly`` refuses them. A cached answer is given without
/// any wait when it is in memory.
public struct CacheStage: Interceptor {
    /// The store.
    public let cache: ResponseCache
    /// The policy of requests that have none.
    public let defaultPolicy: CachePolicy
    /// Names of request header fields that are part of the key.
    public let varyingHeaders: [String]
    /// Names of query items that are no part of the key: timestamps, nonces.
    public let ignoredQueryItems: Set<String>
    private let now: @Sendable () -> Date

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
        self.cache = cache
        self.defaultPolicy = defaultPolicy
        varyingHeaders = headers
        ignoredQueryItems = ignored
        self.now = now
    }

    public func intercept(_ exchange: Exchange, next: Next) async throws -> HTTPResponse {
        let request = exchange.request
        let policy = request.options.cache ?? defaultPolicy
        guard policy != .networkOnly else { return try await next(exchange) }

        let eligibility = CacheRules.eligibility(of: request, hasExplicitKey: request.options.cacheKey != nil)
        let key = key(of: request)
        var entry: CachedResponse?
        if CacheDecision.looksFirst(policy, eligibility) { entry = await self.entry(for: key, request) }

        let time = now()
        switch CacheDecision.decide(policy: policy, eligibility: eligibility, entry: entry, now: time) {
        case .answer:
            guard let entry else { throw HTTPError.notInCache }
            return try await entry.response(to: request, now: time)
        case .refuse:
            throw HTTPError.notInCache
        case .ask(storing: false, _):
            return try await next(exchange)
        case .ask(storing: true, let fallingBack):
            return try await ask(exchange, next, key: key, fallingBack: fallingBack)
        }
    }

    private func key(of request: HTTPRequest) -> CacheKey {
        request.options.cacheKey
            ?? CacheKey(
                request: request, partition: request.options.cachePartition, varying: varyingHeaders,
                ignoring: ignoredQueryItems)
    }

    private func entry(for key: CacheKey, _ request: HTTPRequest) async -> CachedResponse? {
        var entry = cache.memoryResponse(for: key, now: now())
        if entry == nil { entry = await cache.response(for: key, now: now()) }
        return entry.flatMap { CacheRules.matches($0, request) ? $0 : nil }
    }

    private func ask(_ exchange: Exchange, _ next: Next, key: CacheKey, fallingBack: Bool) async throws -> HTTPResponse
    {
        let ticket = cache.ticket(for: key.partition)
        let requestedAt = now()
        do {
            let response = try await next(exchange)
            await keep(response, to: exchange.request, key: key, ticket: ticket, requestedAt: requestedAt)
            return response
        } catch {
            guard fallingBack, !Task.isCancelled, CacheDecision.isNetworkFailure(HTTPError(error)),
                let entry = await entry(for: key, exchange.request), cache.isCurrent(ticket)
            else { throw error }
            return try await entry.response(to: exchange.request, now: now())
        }
    }

    private func keep(
        _ response: HTTPResponse, to request: HTTPRequest, key: CacheKey, ticket: CacheTicket, requestedAt: Date
    ) async {
        let isStorable = CacheRules.isStorable(
            request: request, response: response, partition: key.partition,
            hasExplicitKey: request.options.cacheKey != nil)
        if isStorable,
            let entry = CachedResponse(response, to: request, requestedAt: requestedAt, storedAt: now())
        {
            cache.storeInBackground(entry, for: key, ticket: ticket)
        } else if CacheRules.supersedes(response), cache.isCurrent(ticket) {
            await cache.remove(for: key)
        }
    }
}
