/// JSON strings (RFC 8259, section 7).
enum JSONText {
    /// Appends `text` in quotes. Escaped are only the quote, the backslash and the control characters; `/` and all of
    /// Unicode stay as they are.
    static func append(_ text: String, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        let fast: Void? = text.utf8.withContiguousStorageIfAvailable { append($0, to: &output) }
        if fast == nil { Array(text.utf8).withUnsafeBufferPointer { append($0, to: &output) } }
        output.append(UInt8(ascii: "\""))
    }

    /// Runs of ordinary bytes are copied whole.
    private static func append(_ bytes: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]) {
        var start = 0
        for (index, byte) in bytes.enumerated() where byte < 0x20 || byte == 0x22 || byte == 0x5C {
            output.append(contentsOf: bytes[start..<index])
            appendEscape(byte, to: &output)
            start = index + 1
        }
        output.append(contentsOf: bytes[start...])
    }

    private static func appendEscape(_ byte: UInt8, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\\"))
        switch byte {
        case 0x22, 0x5C: output.append(byte)
        case 0x08: output.append(UInt8(ascii: "b"))
        case 0x09: output.append(UInt8(ascii: "t"))
        case 0x0A: output.append(UInt8(ascii: "n"))
        case 0x0C: output.append(UInt8(ascii: "f"))
        case 0x0D: output.append(UInt8(ascii: "r"))
        default:
            output.append(contentsOf: "u00".utf8)
            let digits = Array("0123456789abcdef".utf8)
            output.append(digits[Int(byte >> 4)])
            output.append(digits[Int(byte & 0x0F)])
        }
    }
}
