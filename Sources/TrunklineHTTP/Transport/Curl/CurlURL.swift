import Foundation

/// A URL as libcurl gets it, and its origin.
struct CurlURL {
    /// The URL without user and password.
    let text: String
    /// Scheme, host and port as they are written: what transfers share connections by.
    let origin: String

    /// Whether the scheme is https.
    var isSecure: Bool { origin.utf8.dropFirst(4).first.map { $0 == 0x73 || $0 == 0x53 } ?? false }

    /// User and password are left out: libcurl would send them, and credentials are the pipeline's business.
    init(_ url: URL) throws(HTTPError) {
        var text = url.absoluteString
        let bytes = text.utf8
        guard let slashes = bytes.firstIndex(of: 0x2F), bytes.index(after: slashes) < bytes.endIndex,
            bytes[bytes.index(after: slashes)] == 0x2F
        else { throw .invalidRequest(.url(text, reason: "the URL is not absolute")) }
        let start = bytes.index(slashes, offsetBy: 2)
        let end = bytes[start...].firstIndex { $0 == 0x2F || $0 == 0x3F || $0 == 0x23 } ?? bytes.endIndex
        if let at = bytes[start..<end].lastIndex(of: 0x40) {
            let rest = text[text.index(after: at)...]
            let length = text[text.index(after: at)..<end].utf8.count
            let scheme = text[..<start]
            origin = String(scheme) + rest.prefix(length)
            text = String(scheme) + rest
        } else {
            origin = String(text[..<end])
        }
        self.text = text
    }

    /// Path and query, as a request line has them (RFC 9112, section 3.2.1).
    var target: String {
        let rest = text.dropFirst(origin.count).prefix { $0 != "#" }
        return rest.hasPrefix("/") ? String(rest) : "/" + rest
    }

    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        var text = text
        return text.withUTF8(body)
    }
}
