/// The cache's part in an exchange; empty where it had none.
public struct HARCache: Hashable, Sendable, Codable {
    /// The entry before the request: nil where there was none, or it is unknown.
    public var beforeRequest: HARCacheEntry?
    /// The entry after it.
    public var afterRequest: HARCacheEntry?
    /// What the cache decided, in one word; see ``CacheEvent``.
    public var comment: String?

    /// Makes the cache's part.
    public init(
        beforeRequest: HARCacheEntry? = nil, afterRequest: HARCacheEntry? = nil, comment: String? = nil
    ) {
        self.beforeRequest = beforeRequest
        self.afterRequest = afterRequest
        self.comment = comment
    }
}
