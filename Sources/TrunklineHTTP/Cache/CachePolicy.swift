/// What the response cache may do for a request.
///
/// Two kinds of freshness share one store. ``standard`` and the policies made of it go by what servers say (RFC 9111);
/// ``cacheFirst(maxAge:)``, ``networkFirst``, ``cacheThenNetwork`` and ``cacheOnly`` go by what the caller says, for servers
/// that say nothing, and use whole 2xx answers only. Whatever the policy: a request that changes something goes to the server,
/// `no-store` is kept, an answer to one user is never given to another, and a request that was answered from the cache says so
/// (``HTTPResponse/source``, ``HTTPResponse/cacheStatus``).
public enum CachePolicy: Hashable, Sendable {
    /// Ask the server, store nothing, invalidate nothing: a session's default.
    case networkOnly
    /// Ask the server for the whole answer, telling caches on the way to do the same, and store it.
    case reload
    /// Answer from the cache when the entry is younger than `maxAge`; otherwise ask the server and store.
    case cacheFirst(maxAge: Duration)
    /// Ask the server and store; answer from the cache, whatever its age, when the network fails.
    case networkFirst
    /// Answer from the cache, whatever its age, or fail with ``HTTPError/notInCache``.
    case cacheOnly
    /// The rules of HTTP (RFC 9111, 5861 and 8246), as a private cache: answers are used while they are fresh by the server's
    /// word, asked about by their validators afterwards, and invalidated by requests that change something.
    case standard
    /// As ``standard``, and a fresh entry is asked about too, unless the server called it `immutable`: for "pull to refresh".
    case revalidate
    /// As ``standard``, and an answer that is stale by no more than `within` (nil: however long) is given at once while a
    /// new one is fetched in the background, unless the server forbade it (`must-revalidate`, `no-cache`).
    case staleWhileRevalidate(within: Duration? = nil)
    /// As ``standard``, and an answer that is stale by no more than `within` (nil: however long) is given when the network
    /// fails or the server answers 500, 502, 503 or 504, unless the server forbade it (`must-revalidate`, `no-cache`).
    case staleIfError(within: Duration? = nil)
    /// Both: ``SessionManager/responses(for:interceptors:)`` gives the stored answer, whatever its age, and then the
    /// server's. A request that can have one answer only gets the stored one, where there is one, and the server is asked in
    /// the background.
    case cacheThenNetwork
}

extension CachePolicy {
    /// Whether what the server says about freshness decides.
    var followsServer: Bool {
        switch self {
        case .standard, .revalidate, .staleWhileRevalidate, .staleIfError: true
        case .networkOnly, .reload, .cacheFirst, .networkFirst, .cacheOnly, .cacheThenNetwork: false
        }
    }

    /// Whether the store is looked into before the server is asked.
    var looksFirst: Bool { self != .networkOnly && self != .reload }
}
