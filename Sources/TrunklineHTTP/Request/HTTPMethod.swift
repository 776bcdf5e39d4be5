/// An HTTP request method: an open set, so extension methods (`"PROPFIND"`, `"PURGE"`) are as good as the usual ones.
///
/// Methods are case-sensitive (RFC 9110, section 9.1); the constants are upper case.
public struct HTTPMethod: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The method as it goes on the wire.
    public let rawValue: String

    /// Makes a method from its name on the wire; it is checked when the request is sent.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Makes a method from a literal, `let purge: HTTPMethod = "PURGE"`.
    public init(stringLiteral value: String) { rawValue = value }

    /// The method as it goes on the wire.
    public var description: String { rawValue }

    public static let get = HTTPMethod(rawValue: "GET")
    public static let head = HTTPMethod(rawValue: "HEAD")
    public static let post = HTTPMethod(rawValue: "POST")
    public static let put = HTTPMethod(rawValue: "PUT")
    public static let patch = HTTPMethod(rawValue: "PATCH")
    public static let delete = HTTPMethod(rawValue: "DELETE")
    public static let options = HTTPMethod(rawValue: "OPTIONS")
    public static let trace = HTTPMethod(rawValue: "TRACE")
    public static let connect = HTTPMethod(rawValue: "CONNECT")
    public static let query = HTTPMethod(rawValue: "QUERY")
}

extension HTTPMethod {
    /// Whether the method only reads (RFC 9110, section 9.2.1).
    public var isSafe: Bool {
        switch self {
        case .get, .head, .options, .trace, .query: true
        default: false
        }
    }

    /// Whether sending the request twice has the effect of sending it once (RFC 9110, section 9.2.2).
    public var isIdempotent: Bool { isSafe || self == .put || self == .delete }

    /// Whether parameters go into the query unless the request says otherwise: the methods whose content has no
    /// defined meaning (RFC 9110, sections 9.3.1, 9.3.2 and 9.3.5).
    public var encodesParametersInQuery: Bool { self == .get || self == .head || self == .delete }

    /// Whether the name is a token, the only form the wire allows (RFC 9110, sections 9.1 and 5.6.2).
    public var isValid: Bool { HTTPToken.isToken(rawValue) }
}
