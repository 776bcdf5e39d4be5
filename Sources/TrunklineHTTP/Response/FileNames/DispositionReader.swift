/// Reads a `Content-Disposition` value front to back, as leniently as servers write it.
struct DispositionReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpace() {
        while let byte = current, byte == 0x20 || byte == 0x09 { position += 1 }
    }

    /// Skips this byte and the space around it, if it comes next.
    mutating func skip(_ byte: UInt8) -> Bool {
        skipSpace()
        guard current == byte else { return false }
        position += 1
        skipSpace()
        return true
    }

    /// The token here, or nil.
    mutating func token() -> String? {
        skipSpace()
        let start = position
        while let byte = current, HTTPToken.isTokenByte(byte) { position += 1 }
        return position > start ? String(decoding: bytes[start..<position], as: UTF8.self) : nil
    }

    /// A quoted string without its quotes, or everything to the next `;`. Of the escapes only those of the quote and the
    /// backslash itself are undone: servers send Windows paths, whose backslashes are none.
    mutating func value() -> String {
        var value: [UInt8] = []
        if current == UInt8(ascii: "\"") {
            position += 1
            while let byte = current, byte != UInt8(ascii: "\"") {
                position += 1
                if byte == UInt8(ascii: "\\"), let next = current,
                    next == UInt8(ascii: "\"") || next == UInt8(ascii: "\\")
                {
                    position += 1
                    value.append(next)
                } else {
                    value.append(byte)
                }
            }
            if current != nil { position += 1 }
        } else {
            while let byte = current, byte != UInt8(ascii: ";") {
                position += 1
                value.append(byte)
            }
            while let last = value.last, last == 0x20 || last == 0x09 { value.removeLast() }
        }
        return String(decoding: value, as: UTF8.self)
    }

    /// Goes behind the next `;` that is not in a quoted string; false at the end.
    mutating func skipToParameter() -> Bool {
        while let byte = current {
            if byte == UInt8(ascii: "\"") {
                _ = value()
            } else {
                position += 1
                if byte == UInt8(ascii: ";") { return true }
            }
        }
        return false
    }
}
