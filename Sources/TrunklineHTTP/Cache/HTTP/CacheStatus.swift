/// What the cache did for a response, in the terms of RFC 9211: whether it answered by itself, and if not, why.
///
/// ```swift
/// let response = try await session.send(.get(url))
/// print(response.cacheStatus?.description ?? "")  // Trunkline; hit; ttl=57
/// ```
public struct CacheStatus: Hashable, Sendable, CustomStringConvertible {
    /// Why the server was asked (RFC 9211, section 2.2).
    public enum Forward: String, Hashable, Sendable {
        /// The cache was told not to take part.
        case bypass
        /// The method always goes to the server.
        case method
        /// There was no entry for the URL.
        case uriMiss = "uri-miss"
        /// There were entries, for other values of the fields `Vary` names.
        case varyMiss = "vary-miss"
        /// There was an entry, and the request's directives, or the policy, wanted the server to be asked.
        case request
        /// The entry was stale.
        case stale
        /// The cache had a part of the content and asked for the rest.
        case partial
    }

    /// Whether the answer came from the cache without asking the server (section 2.1).
    public var isHit: Bool
    /// Why the server was asked, where it was (section 2.2).
    public var forward: Forward?
    /// The status the server answered with, where it is not the response's (section 2.3).
    public var forwardStatus: Int?
    /// How long the answer stays fresh, in seconds; negative since it is stale (section 2.4).
    public var timeToLive: Int?
    /// Whether the answer of the server was stored (section 2.5).
    public var isStored: Bool
    /// Whether the request waited for another one that asked the same (section 2.6).
    public var isCollapsed: Bool
    /// In words, what the rest doesn't say (section 2.8).
    public var detail: String?

    /// Makes a status from its parts.
    public init(
        isHit: Bool = false, forward: Forward? = nil, forwardStatus: Int? = nil, timeToLive: Int? = nil,
        isStored: Bool = false, isCollapsed: Bool = false, detail: String? = nil
    ) {
        self.isHit = isHit
        self.forward = forward
        self.forwardStatus = forwardStatus
        self.timeToLive = timeToLive
        self.isStored = isStored
        self.isCollapsed = isCollapsed
        self.detail = detail
    }

    /// The member of a `Cache-Status` field, `Trunkline; fwd=stale; fwd-status=304; stored`.
    public var description: String {
        var parts = ["Trunkline"]
        if isHit { parts.append("hit") }
        if let forward { parts.append("fwd=\(forward.rawValue)") }
        if let forwardStatus { parts.append("fwd-status=\(forwardStatus)") }
        if let timeToLive { parts.append("ttl=\(timeToLive)") }
        if isStored { parts.append("stored") }
        if isCollapsed { parts.append("collapsed") }
        if let detail {
            let escaped = detail.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            parts.append("detail=\"\(escaped)\"")
        }
        return parts.joined(separator: "; ")
    }
}
