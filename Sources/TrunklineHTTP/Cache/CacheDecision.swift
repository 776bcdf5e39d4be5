import Foundation

/// What to do with a request: a pure function of the policy, the kind of request, the stored entry and the time.
public enum CacheDecision: Hashable, Sendable {
    /// Give the stored entry.
    case answer
    /// Ask the server. Store the answer if `storing`; when the network fails and `fallingBack`, give the entry instead.
    case ask(storing: Bool, fallingBack: Bool)
    /// Fail with ``HTTPError/notInCache``.
    case refuse

    /// Whether the policy looks into the store before the server is asked.
    public static func looksFirst(_ policy: CachePolicy, _ eligibility: CacheRules.Eligibility) -> Bool {
        guard eligibility == .cacheable else { return false }
        switch policy {
        case .cacheFirst, .cacheOnly: return true
        case .networkOnly, .reload, .networkFirst: return false
        }
    }

    /// The decision.
    ///
    /// - Parameters:
    ///   - policy: the policy in force.
    ///   - eligibility: how the cache sees the request.
    ///   - entry: what the store has for it, where ``looksFirst(_:_:)`` asked for a look.
    ///   - now: the wall clock.
    public static func decide(
        policy: CachePolicy, eligibility: CacheRules.Eligibility, entry: CachedResponse?, now: Date
    ) -> CacheDecision {
        switch (eligibility, policy) {
        case (.mutation, _), (_, .networkOnly):
            return .ask(storing: false, fallingBack: false)
        case (.uncacheable, .cacheOnly):
            return .refuse
        case (.uncacheable, _):
            return .ask(storing: false, fallingBack: false)
        case (.cacheable, .reload):
            return .ask(storing: true, fallingBack: false)
        case (.cacheable, .networkFirst):
            return .ask(storing: true, fallingBack: true)
        case (.cacheable, .cacheOnly):
            return entry == nil ? .refuse : .answer
        case (.cacheable, .cacheFirst(let maxAge)):
            let isFresh = entry?.isFresh(maxAge: maxAge, at: now) ?? false
            return isFresh ? .answer : .ask(storing: true, fallingBack: false)
        }
    }

    /// Whether a failure means that the network, not the request or the server, is at fault: what
    /// ``CachePolicy/networkFirst`` falls back on. Failures of trust (TLS) are not among them, they must be seen;
    /// neither are a cancellation and an answer the server did give.
    public static func isNetworkFailure(_ error: HTTPError) -> Bool {
        switch error {
        case .timedOut, .offline, .nameResolution, .connectionFailed, .connectionLost, .invalidResponse,
            .circuitOpen, .rateLimited:
            true
        default: false
        }
    }
}
