/// Reads the directives of `Cache-Control` one after the other (RFC 9111, section 5.2):
/// `token [ "=" ( token / quoted-string ) ]`, separated by commas. No white space belongs around the `=`; a directive that
/// has some, or anything else behind its value, keeps its name and has a malformed value.
struct DirectiveReader {
    enum Value: Hashable, Sendable {
        case none
        case text(String)
        case malformed
    }

    struct Directive: Hashable, Sendable {
        /// In lower case.
        var name: String
        var value: Value
    }

    private let bytes: [UInt8]
    private var position = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// The next directive, or nil at the end. Empty list members are passed over (RFC 9110, section 5.6.1.2).
    mutating func next() -> Directive? {
        while let byte = current {
            if byte == 0x20 || byte == 0x09 || byte == UInt8(ascii: ",") {
                position += 1
                continue
            }
            guard HTTPToken.isTokenByte(byte) else {
                skipMember()
                continue
            }
            let name = token().lowercased()
            let value = value()
            skipMember()
            return Directive(name: name, value: value)
        }
        return nil
    }

    private mutating func value() -> Value {
        guard current == UInt8(ascii: "=") else { return isAtMemberEnd() ? .none : .malformed }
        position += 1
        let text: String
        if current == UInt8(ascii: "\"") {
            guard let quoted = quoted() else { return .malformed }
            text = quoted
        } else {
            text = token()
            if text.isEmpty { return .malformed }
        }
        return isAtMemberEnd() ? .text(text) : .malformed
    }

    private mutating func token() -> String {
        let start = position
        while let byte = current, HTTPToken.isTokenByte(byte) { position += 1 }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    /// The quoted string here; nil when its end is missing.
    private mutating func quoted() -> String? {
        position += 1
        var text: [UInt8] = []
        while let byte = current {
            position += 1
            switch byte {
            case UInt8(ascii: "\""):
                return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                if let escaped = current {
                    position += 1
                    text.append(escaped)
                }
            default:
                text.append(byte)
            }
        }
        return nil
    }

    /// Whether only white space is left of this list member; skips it.
    private mutating func isAtMemberEnd() -> Bool {
        while let byte = current, byte == 0x20 || byte == 0x09 { position += 1 }
        return current == nil || current == UInt8(ascii: ",")
    }

    /// Skips the rest of this list member and its comma, over quoted strings.
    private mutating func skipMember() {
        while let byte = current {
            if byte == UInt8(ascii: "\"") {
                _ = quoted()
                continue
            }
            position += 1
            if byte == UInt8(ascii: ",") { return }
        }
    }
}
