import Foundation

/// Scheme, host and port of a URL: what credentials belong to (RFC 6454, section 4).
///
/// A string literal is read as a URL, `"https://api.example.com"`, of which path and query don't count. Text that is not
/// an `http` or `https` URL makes an origin that no request has, so that a credential bound to it is never sent.
public struct Origin: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The scheme in lower case.
    public let scheme: String
    /// The host in lower case.
    public let host: String
    /// The port, the scheme's own where the URL names none.
    public let port: Int

    /// The origin of the URL.
    public init(_ url: URL) {
        scheme = url.scheme?.lowercased() ?? ""
        host = url.host?.lowercased() ?? ""
        port = url.port ?? (scheme == "https" ? 443 : 80)
    }

    /// The origin of the URL in the text, or nil where it is not an absolute `http` or `https` URL with a host.
    public init?(_ text: String) {
        guard let url = URL(string: text), (try? HTTPRequest.validate(url: url)) != nil else { return nil }
        self.init(url)
    }

    /// The origin of the URL in the literal.
    public init(stringLiteral value: String) {
        if let origin = Origin(value) {
            self = origin
        } else {
            (scheme, host, port) = ("", "", 0)
        }
    }

    /// Scheme, host and port, `https://api.example.com:443`.
    public var description: String { "\(scheme)://\(host):\(port)" }
}
