/// What the cache decided about a request, or did with its answer.
public enum CacheEvent: Hashable, Sendable {
    /// The answer is the stored one, of this age; the server is not asked.
    case hit(age: Duration)
    /// The answer is a stored one that is no longer fresh; the server is asked beside it, or not at all.
    case stale(age: Duration)
    /// Nothing usable is stored: the server is asked.
    case miss
    /// The server is asked whether the stored answer still holds (RFC 9111, section 4.3).
    case revalidating
    /// The server said that it does.
    case revalidated
    /// The cache has no part in the request: by its policy, or since it can't be cached.
    case bypassed
    /// The network failed, and the answer is the stored one, of this age.
    case fallback(age: Duration)
    /// There is nothing stored, and the policy forbids asking the server.
    case refused
    /// The answer was given to the store.
    case stored
    /// What was stored was dropped.
    case invalidated

    /// The case's name: one word.
    public var name: String {
        switch self {
        case .hit: "hit"
        case .stale: "stale"
        case .miss: "miss"
        case .revalidating: "revalidating"
        case .revalidated: "revalidated"
        case .bypassed: "bypassed"
        case .fallback: "fallback"
        case .refused: "refused"
        case .stored: "stored"
        case .invalidated: "invalidated"
        }
    }
}
