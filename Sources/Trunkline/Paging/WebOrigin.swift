import Foundation

/// Scheme, host and port of a URL: what credentials belong to (RFC 6454, section 4).
struct WebOrigin: Hashable, Sendable {
    let scheme: String
    let host: String
    let port: Int

    init(_ url: URL) {
        scheme = url.scheme?.lowercased() ?? ""
        host = url.host?.lowercased() ?? ""
        port = url.port ?? (scheme == "https" ? 443 : 80)
    }
}
