/// A cookie of a request or a response.
public struct HARCookie: Hashable, Sendable, Codable {
    /// Its name.
    public var name: String
    /// Its value.
    public var value: String
    /// Its path.
    public var path: String?
    /// Its domain.
    public var domain: String?
    /// When it expires, in ISO 8601.
    public var expires: String?
    /// Whether scripts are kept from it.
    public var httpOnly: Bool?
    /// Whether it goes over TLS only.
    public var secure: Bool?

    /// Makes a cookie.
    public init(
        name: String, value: String, path: String? = nil, domain: String? = nil, expires: String? = nil,
        httpOnly: Bool? = nil, secure: Bool? = nil
    ) {
        self.name = name
        self.value = value
        self.path = path
        self.domain = domain
        self.expires = expires
        self.httpOnly = httpOnly
        self.secure = secure
    }
}
