/// Reads the pieces of a header field's value from front to back: tokens, quoted strings, delimiters (RFC 9110,
/// section 5.6). Reading past the end gives nothing.
struct FieldReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ text: String) {
        bytes = Array(text.utf8)
        skipSpace()
    }

    /// Whether everything was read.
    var isAtEnd: Bool { position >= bytes.count }

    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// Whether the next character is this one.
    func isAt(_ character: Unicode.Scalar) -> Bool { current == UInt8(ascii: character) }

    /// Skips spaces and tabs.
    mutating func skipSpace() {
        while let byte = current, byte == 0x20 || byte == 0x09 { position += 1 }
    }

    /// Skips this character, if it is the next.
    @discardableResult
    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard isAt(character) else { return false }
        position += 1
        return true
    }

    /// The token here, or nil.
    mutating func token() -> String? {
        let start = position
        while let byte = current, HTTPToken.isTokenByte(byte) { position += 1 }
        return position > start ? String(decoding: bytes[start..<position], as: UTF8.self) : nil
    }

    /// The token or quoted string here, the latter without quotes and escapes; one without its closing quote reaches to
    /// the end.
    mutating func tokenOrQuoted() -> String? { isAt("\"") ? readQuoted().text : token() }

    /// The quoted string here without quotes and escapes; nil where there is none, or its closing quote is missing.
    mutating func quoted() -> String? {
        guard isAt("\"") else { return nil }
        let (text, isClosed) = readQuoted()
        return isClosed ? text : nil
    }

    private mutating func readQuoted() -> (text: String, isClosed: Bool) {
        position += 1
        var value: [UInt8] = []
        var isClosed = false
        while let byte = current {
            position += 1
            if byte == UInt8(ascii: "\"") {
                isClosed = true
                break
            }
            if byte == UInt8(ascii: "\\"), let escaped = current {
                position += 1
                value.append(escaped)
            } else {
                value.append(byte)
            }
        }
        return (String(decoding: value, as: UTF8.self), isClosed)
    }

    /// Skips to the next `;`, the `,` of a list, or the end, over quoted strings.
    mutating func skipToDelimiter() { skip { $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: ",") } }

    /// Skips to the `,` after this member of a list, or the end, over quoted strings.
    mutating func skipToMemberEnd() { skip { $0 == UInt8(ascii: ",") } }

    private mutating func skip(to isDelimiter: (UInt8) -> Bool) {
        while let byte = current, !isDelimiter(byte) {
            if byte == UInt8(ascii: "\"") { _ = readQuoted() } else { position += 1 }
        }
    }

    /// The token68 here (RFC 9110, section 11.2), or nil.
    mutating func token68() -> String? {
        let start = position
        while let byte = current, HTTPToken.isTokenByte(byte) && !"!#$%&'*^`|".utf8.contains(byte) || byte == 0x2F {
            position += 1
        }
        guard position > start else { return nil }
        while isAt("=") { position += 1 }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    /// Everything up to the next space, tab or comma, or nothing: what peers write without the quotes it needs.
    mutating func bareText() -> String {
        let start = position
        while let byte = current, byte != 0x20, byte != 0x09, byte != UInt8(ascii: ",") { position += 1 }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    /// Skips one byte of any kind.
    mutating func skipAny() {
        if !isAtEnd { position += 1 }
    }
}
