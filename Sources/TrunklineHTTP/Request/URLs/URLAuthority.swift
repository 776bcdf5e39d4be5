/// Checks of the `scheme://authority` part of a URL, which is never escaped or repaired: a host that isn't one is an
/// error, so that a slip can't send a request elsewhere.
enum URLAuthority {
    /// Checks the host and port in `origin`, the front part of `text`.
    static func check(_ origin: [UInt8], of text: String) throws(HTTPError) {
        guard let colon = origin.firstIndex(of: UInt8(ascii: ":")) else { return }
        let authority = origin[min(colon + 3, origin.count)...]
        for byte in authority where isForbidden(byte) {
            let shown =
                byte > 0x20 && byte < 0x7F ? "\"\(Character(UnicodeScalar(byte)))\"" : "white space or a control"
            throw .invalidRequest(.url(text, reason: "the host contains \(shown)"))
        }
        let afterUser = authority.lastIndex(of: UInt8(ascii: "@")).map { authority[($0 + 1)...] } ?? authority
        var host = afterUser
        var port: ArraySlice<UInt8>?
        if afterUser.first == UInt8(ascii: "[") {
            guard let close = afterUser.firstIndex(of: UInt8(ascii: "]")) else {
                throw .invalidRequest(.url(text, reason: "the IPv6 address has no closing bracket"))
            }
            host = afterUser[...close]
            let rest = afterUser[(close + 1)...]
            guard rest.isEmpty || rest.first == UInt8(ascii: ":") else {
                throw .invalidRequest(.url(text, reason: "there is something between the IPv6 address and the port"))
            }
            if !rest.isEmpty { port = rest.dropFirst() }
        } else {
            if let mark = afterUser.lastIndex(of: UInt8(ascii: ":")) {
                host = afterUser[..<mark]
                port = afterUser[(mark + 1)...]
            }
            if let byte = host.first(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: ":") }) {
                throw .invalidRequest(
                    .url(text, reason: "the host contains \"\(Character(UnicodeScalar(byte)))\""))
            }
        }
        if host.isEmpty, !origin.starts(with: "file:".utf8) {
            throw .invalidRequest(.url(text, reason: "it has no host"))
        }
        if let port, !port.isEmpty { try check(port: port, of: text) }
    }

    private static func check(port: ArraySlice<UInt8>, of text: String) throws(HTTPError) {
        let digits = String(decoding: port, as: UTF8.self)
        guard port.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(digits), number <= 65535 else {
            throw .invalidRequest(.url(text, reason: "the port \"\(digits)\" is not a number from 0 to 65535"))
        }
    }

    /// Bytes with no place in an authority (RFC 3986, section 3.2): white space, controls and the characters that
    /// parsers disagree about.
    private static func isForbidden(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x00...0x20, 0x7F: true
        case 0x22, 0x3C, 0x3E, 0x5C, 0x5E, 0x60, 0x7B, 0x7C, 0x7D: true  // " < > \ ^ ` { | }
        default: false
        }
    }
}
