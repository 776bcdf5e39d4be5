/// What the response cache may do for a request. Stored are whole 2xx answers to GET and HEAD only; a mutation is never
/// answered from the cache.
public enum CachePolicy: Hashable, Sendable {
    /// Ask the server, store nothing: a session's default.
    case networkOnly
    /// Ask the server and store the answer.
    case reload
    /// Answer from the cache when the entry is younger than `maxAge`; otherwise ask the server and store.
    case cacheFirst(maxAge: Duration)
    /// Ask the server and store; answer from the cache, whatever its age, when the network fails.
    case networkFirst
    /// Answer from the cache, whatever its age, or fail with ``HTTPError/notInCache``.
    case cacheOnly
}
