import Foundation

/// What to do with a request: a pure function of the policy, the request, the stored entry and the time
/// (``decide(policy:request:entry:now:hasOtherVariants:)``).
public enum CacheDecision: Hashable, Sendable {
    /// Give the stored entry.
    case answer(CacheAnswer)
    /// Ask the server.
    case ask(CacheInquiry)
    /// Fail with ``HTTPError/notInCache``.
    case refuse

    /// The decision.
    ///
    /// - Parameters:
    ///   - policy: the policy in force.
    ///   - request: the request as the cache sees it.
    ///   - entry: what the store has for it, of the variant the request selects; nil where it has nothing.
    ///   - now: the wall clock.
    ///   - hasOtherVariants: whether the store has answers to the URL for other values of the fields `Vary` names.
    public static func decide(
        policy: CachePolicy, request: HTTPRequest, entry: CachedResponse?, now: Date, hasOtherVariants: Bool = false
    ) -> CacheDecision {
        guard policy != .networkOnly else { return .ask(CacheInquiry(.bypass)) }
        let decision = decideFreely(policy, request, entry, now, hasOtherVariants)
        if request.options.cacheTurn == .stored, case .ask = decision { return .refuse }
        return decision
    }

    private static func decideFreely(
        _ policy: CachePolicy, _ request: HTTPRequest, _ entry: CachedResponse?, _ now: Date, _ hasOtherVariants: Bool
    ) -> CacheDecision {
        switch CacheRules.eligibility(of: request, hasExplicitKey: request.options.cacheKey != nil) {
        case .mutation:
            // Section 4: an unsafe request is written through to the server.
            return .ask(CacheInquiry(.method))
        case .uncacheable:
            return onlyCache(policy, request) ? .refuse : .ask(CacheInquiry(.bypass))
        case .cacheable: break
        }
        let miss: CacheStatus.Forward = hasOtherVariants ? .varyMiss : .uriMiss
        if policy.followsServer {
            return HTTPCacheRules(policy: policy, request: request, now: now).decide(entry, miss: miss)
        }
        return decideExplicitly(policy, request, entry, miss: miss, now: now)
    }

    /// The policies that go by the caller's word.
    private static func decideExplicitly(
        _ policy: CachePolicy, _ request: HTTPRequest, _ entry: CachedResponse?, miss: CacheStatus.Forward, now: Date
    ) -> CacheDecision {
        // Parts and the caller's own conditions are for the server, or for the policies that follow it.
        guard !CacheRules.isPartialOrConditional(request.headers) else {
            return policy == .cacheOnly ? .refuse : .ask(CacheInquiry(.bypass))
        }
        let usable = entry.flatMap { CacheRules.isWhole($0) ? $0 : nil }
        switch policy {
        case .cacheOnly:
            return usable == nil ? .refuse : .answer(CacheAnswer())
        case .cacheFirst(let maxAge):
            if let usable, usable.isFresh(maxAge: maxAge, at: now) { return .answer(CacheAnswer()) }
        case .cacheThenNetwork:
            if usable != nil, request.options.cacheTurn != .server {
                return .answer(CacheAnswer(refreshes: request.options.cacheTurn == .either))
            }
        default: break
        }
        guard policy != .reload else { return .ask(CacheInquiry(.request, stores: true, forces: true)) }
        guard let usable else { return .ask(CacheInquiry(miss, stores: true)) }
        return .ask(
            CacheInquiry(
                policy == .networkFirst || policy == .cacheThenNetwork ? .request : .stale, stores: true,
                validates: Validation.isPossible(usable.headers) && request.method != .head))
    }

    private static func onlyCache(_ policy: CachePolicy, _ request: HTTPRequest) -> Bool {
        policy == .cacheOnly || policy.followsServer && RequestDirectives.of(request.headers).control.onlyIfCached
    }
}
