import Foundation

/// How the server reads a request target. It decodes on its own, so that it checks a client's encoding and does not
/// share its mistakes.
enum LoopbackTarget {
    /// The encoded path of a target in origin, absolute, authority or asterisk form (RFC 9112, section 3.2).
    static func path(of target: String) -> String {
        let bytes = target.utf8
        let slash = UInt8(ascii: "/")
        let mark = UInt8(ascii: "?")
        let end = bytes.firstIndex(of: mark) ?? bytes.endIndex
        if bytes.first == slash {
            return end == bytes.endIndex ? target : String(target[..<end])
        }
        guard let scheme = target.range(of: "://"), scheme.upperBound <= end else { return String(target[..<end]) }
        let path = target[scheme.upperBound..<end].utf8.drop { $0 != slash }
        return path.isEmpty ? "/" : String(path) ?? "/"
    }

    /// What follows the first question mark; nil when there is none.
    static func query(of target: String) -> String? {
        guard let mark = target.utf8.firstIndex(of: UInt8(ascii: "?")) else { return nil }
        return String(target[target.utf8.index(after: mark)...])
    }

    /// The pairs of a form-encoded text.
    static func formItems(_ text: String) -> [URLQueryItem] {
        text.split(separator: "&", omittingEmptySubsequences: true).map { pair in
            guard let mark = pair.firstIndex(of: "=") else {
                return URLQueryItem(name: decode(pair, plusIsSpace: true), value: nil)
            }
            return URLQueryItem(
                name: decode(pair[..<mark], plusIsSpace: true),
                value: decode(pair[pair.index(after: mark)...], plusIsSpace: true))
        }
    }

    /// Percent-decodes. A percent sign without two hexadecimal digits stays; bytes that are not UTF-8 become U+FFFD.
    static func decode(_ text: some StringProtocol, plusIsSpace: Bool = false) -> String {
        let needsWork = text.utf8.contains { $0 == UInt8(ascii: "%") || (plusIsSpace && $0 == UInt8(ascii: "+")) }
        guard needsWork else { return String(text) }
        let source = Array(text.utf8)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(source.count)
        var index = 0
        while index < source.count {
            let byte = source[index]
            if byte == UInt8(ascii: "%"), index + 2 < source.count, let high = hexValue(source[index + 1]),
                let low = hexValue(source[index + 2])
            {
                bytes.append(high << 4 | low)
                index += 3
                continue
            }
            bytes.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            index += 1
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The value of a hexadecimal digit.
    static func hexValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
