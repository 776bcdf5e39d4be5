import Foundation

/// One cookie as a client keeps it (RFC 6265, section 5.3).
public struct Cookie: Hashable, Sendable, Codable {
    /// The name.
    public var name: String
    /// The value, as it was sent: quotes, if any, are part of it.
    public var value: String
    /// The host it belongs to, lower case, without a leading dot.
    public var domain: String
    /// Whether only that host gets it, and not the hosts below it.
    public var isHostOnly: Bool
    /// The path it belongs to.
    public var path: String
    /// When it ends; nil for the end of the process.
    public var expires: Date?
    /// Whether only secure connections carry it.
    public var isSecure: Bool
    /// Whether scripts were not to see it. Kept for the record; a client without scripts treats both alike.
    public var isHTTPOnly: Bool
    /// When a cookie of this name, domain and path was first kept.
    public var created: Date

    /// Makes a cookie.
    public init(
        name: String, value: String, domain: String, isHostOnly: Bool = true, path: String = "/", expires: Date? = nil,
        isSecure: Bool = false, isHTTPOnly: Bool = false, created: Date = Date()
    ) {
        self.name = name
        self.value = value
        self.domain = domain.lowercased()
        self.isHostOnly = isHostOnly
        self.path = path
        self.expires = expires
        self.isSecure = isSecure
        self.isHTTPOnly = isHTTPOnly
        self.created = created
    }
}

extension Cookie {
    /// Whether the cookie goes with a request to the URL (RFC 6265, section 5.4, step 1).
    public func matches(_ url: URL, at now: Date = Date()) -> Bool {
        guard let host = url.host?.lowercased(), !isExpired(at: now) else { return false }
        guard isHostOnly ? host == domain : Cookie.host(host, isWithin: domain) else { return false }
        guard !isSecure || url.scheme?.lowercased() == "https" else { return false }
        return Cookie.path(url.path(percentEncoded: true), isWithin: path)
    }

    /// Whether its time is over.
    public func isExpired(at now: Date) -> Bool { expires.map { $0 <= now } ?? false }

    /// Domain matching (section 5.1.3). An IP address has no hosts below it.
    static func host(_ host: String, isWithin domain: String) -> Bool {
        if host == domain { return true }
        return host.hasSuffix("." + domain) && !isAddress(host)
    }

    /// Path matching (section 5.1.4).
    static func path(_ path: String, isWithin prefix: String) -> Bool {
        let path = path.isEmpty ? "/" : path
        guard path.utf8.starts(with: prefix.utf8) else { return false }
        return path.utf8.count == prefix.utf8.count || prefix.hasSuffix("/")
            || Array(path.utf8)[prefix.utf8.count] == UInt8(ascii: "/")
    }

    static func isAddress(_ host: String) -> Bool {
        host.contains(":") || host.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }
    }
}
