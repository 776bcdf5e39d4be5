import CTrunklineCurl
import Foundation

/// Public-key pins as libcurl takes them.
enum CurlPins {
    /// Sets the pins of the request's host, where there are any. libcurl checks them in every handshake, and shares no
    /// connection between requests with different pins.
    static func apply(
        _ pins: [String: [String]], host url: URL, to state: UnsafeMutablePointer<tlc_transfer>
    ) throws(HTTPError) {
        guard !pins.isEmpty else { return }
        let text = option(pins: pins, host: url.host ?? "")
        let code = tlc_set_text(state, Int32(TLC_OPT_PINNEDPUBLICKEY), text)
        if text != nil, code != TLC_OK {
            throw .unsupported(feature: "Public-key pinning", platform: "this libcurl")
        }
    }

    /// `sha256//…;sha256//…` for the host, or nil when no pattern matches it. A pattern without a valid pin gives one
    /// that no key has: it refuses every server.
    static func option(pins: [String: [String]], host: String) -> String? {
        let matching = pins.filter { matches(pattern: $0.key, host: host) }
        guard !matching.isEmpty else { return nil }
        let valid = matching.values.joined().filter { Data(base64Encoded: $0)?.count == 32 }
        let hashes = valid.isEmpty ? [Data(count: 32).base64EncodedString()] : Array(Set(valid)).sorted()
        return hashes.map { "sha256//\($0)" }.joined(separator: ";")
    }

    /// Whether the pattern means the host: the same name, or `*.` and the name without its first label.
    static func matches(pattern: String, host: String) -> Bool {
        func normal(_ name: String) -> String {
            let lower = name.lowercased()
            return lower.hasSuffix(".") ? String(lower.dropLast()) : lower
        }
        let (pattern, host) = (normal(pattern), normal(host))
        guard pattern.hasPrefix("*.") else { return pattern == host }
        guard let dot = host.firstIndex(of: ".") else { return false }
        return host[dot...] == pattern.dropFirst()
    }
}
