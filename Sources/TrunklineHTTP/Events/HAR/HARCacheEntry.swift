/// What a cache had.
public struct HARCacheEntry: Hashable, Sendable, Codable {
    /// When the entry expires, in ISO 8601.
    public var expires: String?
    /// When it was used last, in ISO 8601.
    public var lastAccess: String
    /// Its entity tag; empty for none.
    public var eTag: String
    /// How often it was used; 0 where it is unknown.
    public var hitCount: Int

    /// Makes an entry.
    public init(expires: String? = nil, lastAccess: String, eTag: String = "", hitCount: Int = 0) {
        self.expires = expires
        self.lastAccess = lastAccess
        self.eTag = eTag
        self.hitCount = hitCount
    }
}
