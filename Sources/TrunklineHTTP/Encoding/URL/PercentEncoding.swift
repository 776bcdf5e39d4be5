import Foundation

/// Percent-encoding (RFC 3986, section 2.1): bytes outside a set become `%` and two upper-case hex digits.
enum PercentEncoding {
    /// What to leave as it is.
    enum Allowed {
        /// Unreserved characters, `/` and `?`: for names and values of a query or form.
        case query
        /// Unreserved characters only: for one value in a path segment.
        case segment
    }

    /// Appends `text`, escaped, as ASCII bytes.
    static func append(
        _ text: String, to output: inout [UInt8], allowed: Allowed = .query, spaceAsPlus: Bool = false
    ) {
        let fast: Void? = text.utf8.withContiguousStorageIfAvailable {
            append($0, to: &output, allowed: allowed, spaceAsPlus: spaceAsPlus)
        }
        if fast == nil { append(Array(text.utf8), to: &output, allowed: allowed, spaceAsPlus: spaceAsPlus) }
    }

    /// The escaped text.
    static func escape(_ text: String, allowed: Allowed = .query, spaceAsPlus: Bool = false) -> String {
        var output: [UInt8] = []
        append(text, to: &output, allowed: allowed, spaceAsPlus: spaceAsPlus)
        return String(decoding: output, as: UTF8.self)
    }

    private static func append<Bytes: Sequence<UInt8>>(
        _ bytes: Bytes, to output: inout [UInt8], allowed: Allowed, spaceAsPlus: Bool
    ) {
        let slashes = allowed == .query
        for byte in bytes {
            if isUnreserved(byte) || (slashes && (byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?"))) {
                output.append(byte)
            } else if spaceAsPlus, byte == UInt8(ascii: " ") {
                output.append(UInt8(ascii: "+"))
            } else {
                appendEscaped(byte, to: &output)
            }
        }
    }

    /// Appends one byte as `%XX`.
    static func appendEscaped(_ byte: UInt8, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "%"))
        output.append(hexDigit(byte >> 4))
        output.append(hexDigit(byte & 0x0F))
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }

    /// Letters, digits, `-`, `.`, `_`, `~` (RFC 3986, section 2.3).
    static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: true
        default: false
        }
    }

    /// Whether the byte is a hex digit.
    static func isHexDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
        default: false
        }
    }
}
