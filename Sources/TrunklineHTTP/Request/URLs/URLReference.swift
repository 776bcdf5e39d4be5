/// A URL reference cut into its parts (RFC 3986, appendix B) by bytes, so that no combining character can hide a
/// delimiter. Nothing is decoded; parts are escaped when they are put together.
struct URLReference {
    /// `scheme://authority`, or nil for a relative reference.
    var origin: [UInt8]?
    /// The path as it was written.
    var path: [UInt8]
    /// The query without its `?`.
    var query: [UInt8]?
    /// The fragment without its `#`.
    var fragment: [UInt8]?

    /// Cuts the text; every text has parts.
    init(_ text: String) {
        var rest = Array(text.utf8)[...]
        if let end = URLReference.endOfOrigin(rest) {
            origin = Array(rest[..<end])
            rest = rest[end...]
        }
        if let hash = rest.firstIndex(of: UInt8(ascii: "#")) {
            fragment = Array(rest[(hash + 1)...])
            rest = rest[..<hash]
        }
        if let mark = rest.firstIndex(of: UInt8(ascii: "?")) {
            query = Array(rest[(mark + 1)...])
            rest = rest[..<mark]
        }
        path = Array(rest)
    }

    /// The reference as text, what a part may not hold escaped and the escapes it has kept.
    var text: String {
        var output = origin ?? []
        URLReference.append(path, to: &output)
        if let query {
            output.append(UInt8(ascii: "?"))
            URLReference.append(query, to: &output, allowsQuestionMark: true)
        }
        if let fragment {
            output.append(UInt8(ascii: "#"))
            URLReference.append(fragment, to: &output, allowsQuestionMark: true)
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// The reference as it was written.
    var literalText: String {
        var output = (origin ?? []) + path
        if let query { output += [UInt8(ascii: "?")] + query }
        if let fragment { output += [UInt8(ascii: "#")] + fragment }
        return String(decoding: output, as: UTF8.self)
    }

    /// The end of `scheme://authority`, where the text begins so.
    private static func endOfOrigin(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon > bytes.startIndex,
            bytes[colon...].starts(with: "://".utf8), isLetter(bytes[bytes.startIndex]),
            bytes[..<colon].allSatisfy({ isSchemeByte($0) })
        else { return nil }
        let authority = bytes[(colon + 3)...]
        return authority.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
            ?? authority.endIndex
    }

    /// Whether the text begins with `http:` or `https:`, which is no path even without the slashes.
    static func namesWebScheme(_ text: String) -> Bool {
        let start = text.utf8.prefix(6).map { isLetter($0) ? $0 | 0x20 : $0 }
        return start.starts(with: "http:".utf8) || start.starts(with: "https:".utf8)
    }

    private static func append(_ part: [UInt8], to output: inout [UInt8], allowsQuestionMark: Bool = false) {
        for (index, byte) in part.enumerated() {
            if byte == UInt8(ascii: "%") {
                let isEscape =
                    index + 2 < part.count && PercentEncoding.isHexDigit(part[index + 1])
                    && PercentEncoding.isHexDigit(part[index + 2])
                if isEscape { output.append(byte) } else { PercentEncoding.appendEscaped(byte, to: &output) }
            } else if isPathByte(byte) || (allowsQuestionMark && byte == UInt8(ascii: "?")) {
                output.append(byte)
            } else {
                PercentEncoding.appendEscaped(byte, to: &output)
            }
        }
    }

    /// `pchar` without escapes, and `/` (RFC 3986, section 3.3).
    private static func isPathByte(_ byte: UInt8) -> Bool {
        if PercentEncoding.isUnreserved(byte) { return true }
        switch byte {
        case 0x21, 0x24, 0x26...0x2C, 0x2F, 0x3A, 0x3B, 0x3D, 0x40: return true  // ! $ & ' ( ) * + , / : ; = @
        default: return false
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }

    private static func isSchemeByte(_ byte: UInt8) -> Bool {
        isLetter(byte) || (0x30...0x39).contains(byte) || byte == 0x2B || byte == 0x2D || byte == 0x2E  // + - .
    }
}
