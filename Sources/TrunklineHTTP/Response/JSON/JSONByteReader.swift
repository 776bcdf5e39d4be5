import Foundation

/// The bytes of a JSON text, front to back, and its scalars.
struct JSONByteReader {
    private let bytes: [UInt8]
    private(set) var position = 0

    init(_ data: Data) { bytes = Array(data) }

    /// The byte here, or nil at the end.
    var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// Whether everything was read.
    var isAtEnd: Bool { position >= bytes.count }

    /// Goes on by one byte.
    mutating func advance() { position += 1 }

    /// Skips this byte, if it is here.
    mutating func skip(_ byte: UInt8) -> Bool {
        guard current == byte else { return false }
        position += 1
        return true
    }

    /// Skips white space.
    mutating func skipSpace() {
        while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    /// Skips the byte-order mark some editors put in front (RFC 8259, section 8.1).
    mutating func skipByteOrderMark() {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    /// The error of the byte here.
    func unexpected(_ place: String) -> JSONSyntaxError {
        guard let byte = current else { return JSONSyntaxError("the text ends \(place)") }
        let shown = byte > 0x20 && byte < 0x7F ? "\"\(Character(UnicodeScalar(byte)))\"" : "byte \(byte)"
        return JSONSyntaxError("there is \(shown) at offset \(position) \(place)")
    }

    /// The text, number, truth value or null here.
    mutating func scalar() throws(JSONSyntaxError) -> JSONValue {
        switch current {
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return try number()
        }
    }

    private mutating func word(_ word: StaticString, _ value: JSONValue) throws(JSONSyntaxError) -> JSONValue {
        let end = position + word.utf8CodeUnitCount
        guard end <= bytes.count, bytes[position..<end].elementsEqual(word.description.utf8) else {
            throw unexpected("where a value is needed")
        }
        position = end
        return value
    }

    // MARK: - Numbers

    private mutating func number() throws(JSONSyntaxError) -> JSONValue {
        let start = position
        var parts = JSONNumber()
        parts.isNegative = skip(UInt8(ascii: "-"))
        let leadingZero = current == UInt8(ascii: "0")
        let whole = digits { parts.add($0) }
        guard whole > 0 else { throw unexpected("where a value is needed") }
        guard !leadingZero || whole == 1 else { throw JSONSyntaxError("the number at offset \(start) begins with 0") }
        if skip(UInt8(ascii: ".")) {
            guard digits({ parts.addFraction($0) }) > 0 else { throw unexpected("where a digit is needed") }
        }
        if current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
            advance()
            let isNegative = current == UInt8(ascii: "-")
            if isNegative || current == UInt8(ascii: "+") { advance() }
            var exponent = 0
            // Beyond a million it is zero or too large anyway.
            guard digits({ exponent = min(exponent * 10 + Int($0), 1_000_000) }) > 0 else {
                throw unexpected("where a digit is needed")
            }
            parts.exponent += isNegative ? -exponent : exponent
        }
        if let value = parts.value { return value }
        return try JSONNumber.long(String(decoding: bytes[start..<position], as: UTF8.self), parts)
    }

    private mutating func digits(_ use: (UInt8) -> Void) -> Int {
        let start = position
        while let byte = current, byte >= 0x30, byte <= 0x39 {
            use(byte & 0x0F)
            position += 1
        }
        return position - start
    }

    // MARK: - Strings

    /// The text in quotes here.
    mutating func string() throws(JSONSyntaxError) -> String {
        advance()
        let start = position
        var isASCII = true
        while let byte = current {
            switch byte {
            case UInt8(ascii: "\""):
                let text = try decoded(bytes[start..<position], isASCII: isASCII)
                advance()
                return text
            case UInt8(ascii: "\\"): return try stringWithEscapes(from: start)
            case 0..<0x20: throw unexpected("inside a text, where it must be escaped")
            default:
                if byte >= 0x80 { isASCII = false }
                position += 1
            }
        }
        throw JSONSyntaxError("the text that begins at offset \(start - 1) has no end")
    }

    private mutating func stringWithEscapes(from start: Int) throws(JSONSyntaxError) -> String {
        var text = Array(bytes[start..<position])
        while let byte = current {
            switch byte {
            case UInt8(ascii: "\""):
                advance()
                return try decoded(text[...], isASCII: false)
            case UInt8(ascii: "\\"):
                advance()
                try escape(into: &text)
            case 0..<0x20: throw unexpected("inside a text, where it must be escaped")
            default:
                text.append(byte)
                position += 1
            }
        }
        throw JSONSyntaxError("the text that begins at offset \(start - 1) has no end")
    }

    private func decoded(_ slice: ArraySlice<UInt8>, isASCII: Bool) throws(JSONSyntaxError) -> String {
        if isASCII { return String(decoding: slice, as: UTF8.self) }
        guard let text = String(bytes: slice, encoding: .utf8) else {
            throw JSONSyntaxError("the text before offset \(position) is not UTF-8")
        }
        return text
    }

    private mutating func escape(into text: inout [UInt8]) throws(JSONSyntaxError) {
        guard let byte = current else { throw unexpected("inside an escape") }
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"):
            advance()
            let scalar = try unicodeScalar()
            text.append(contentsOf: String(Character(scalar)).utf8)
            return
        default: throw unexpected("inside an escape")
        }
        advance()
    }

    /// The scalar of `\uXXXX`, or of a surrogate pair of two of them.
    private mutating func unicodeScalar() throws(JSONSyntaxError) -> Unicode.Scalar {
        let first = try hexUnit()
        if let scalar = Unicode.Scalar(first) { return scalar }
        if first < 0xDC00, skip(UInt8(ascii: "\\")), skip(UInt8(ascii: "u")) {
            let second = try hexUnit()
            if (0xDC00...0xDFFF).contains(second),
                let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
            {
                return scalar
            }
        }
        throw JSONSyntaxError("half a surrogate pair stands alone before offset \(position)")
    }

    private mutating func hexUnit() throws(JSONSyntaxError) -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = current, PercentEncoding.isHexDigit(byte) else { throw unexpected("inside an escape") }
            unit = unit << 4 | UInt32(byte <= 0x39 ? byte & 0x0F : (byte & 0x0F) + 9)
            position += 1
        }
        return unit
    }
}
