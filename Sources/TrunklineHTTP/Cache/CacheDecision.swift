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
            if usable != nil, !request.options.asksServer { return .answer(CacheAnswer(refreshes: true)) }
        default: break
        }
        guard policy != .reload else { return .ask(CacheInquiry(.request, stores: true, forces: true)) }
        guard let usable else { return .ask(CacheInquiry(miss, stores: true)) }
        return .ask(
            CacheInquiry(
                policy == .networkFirst || request.options.asksServer ? .request : .stale, stores: true,
                validates: Validation.isPossible(usable.headers) && request.method != .head))
    }


    private static func onlyCache(_ policy: CachePolicy, _ request: HTTPRequest) -> Bool {
        policy == .cacheOnly || policy.followsServer && RequestDirectives.of(request.headers).control.onlyIfCached
    }
}

/// How a stored entry answers a request.
public struct CacheAnswer: Hashable, Sendable {
    /// What of the entry is given.
    public enum Form: Hashable, Sendable {
        /// All of it.
        case whole
        /// The bytes at these offsets of the stored content, as a 206 (RFC 9111, section 3.4). The place of the first one in
        /// the whole is `first`.
        case part(Range<Int64>, first: Int64, total: Int64?)
        /// A 304: the caller has it already, and said so with conditions of its own (section 4.3.2).
        case notModified
    }

    /// What of the entry is given.
    public var form: Form
    /// Whether it is stale, and given for all that.
    public var isStale: Bool
    /// Whether the server is asked in the background.
    public var refreshes: Bool

    /// Makes an answer; by default the whole entry, fresh.
    public init(_ form: Form = .whole, isStale: Bool = false, refreshes: Bool = false) {
        self.form = form
        self.isStale = isStale
        self.refreshes = refreshes
    }
}

/// How the server is asked.
public struct CacheInquiry: Hashable, Sendable {
    /// Why.
    public var forward: CacheStatus.Forward
    /// Whether the answer may be stored.
    public var stores: Bool
    /// Whether it is asked about the entry (RFC 9111, section 4.3.1).
    public var validates: Bool
    /// From which byte on the content is asked for, where the entry has those before (section 3.4).
    public var completesFrom: Int64?
    /// Whether caches on the way are told to ask the server, too (section 5.2.1.4).
    public var forces: Bool

    /// Makes an inquiry; by default the plain request, whose answer is not stored.
    public init(
        _ forward: CacheStatus.Forward, stores: Bool = false, validates: Bool = false, completesFrom: Int64? = nil,
        forces: Bool = false
    ) {
        self.forward = forward
        self.stores = stores
        self.validates = validates
        self.completesFrom = completesFrom
        self.forces = forces
    }
}
