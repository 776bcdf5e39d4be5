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
        guard fast == nil else { return }
        Array(text.utf8).withUnsafeBufferPointer {
            append($0, to: &output, allowed: allowed, spaceAsPlus: spaceAsPlus)
        }
    }

    /// The escaped text.
    static func escape(_ text: String, allowed: Allowed = .query, spaceAsPlus: Bool = false) -> String {
        var output: [UInt8] = []
        append(text, to: &output, allowed: allowed, spaceAsPlus: spaceAsPlus)
        return String(decoding: output, as: UTF8.self)
    }

    /// Runs of bytes that stay as they are are copied whole.
    private static func append(
        _ bytes: UnsafeBufferPointer<UInt8>, to output: inout [UInt8], allowed: Allowed, spaceAsPlus: Bool
    ) {
        let mask = allowed == .query ? queryMask : unreservedMask
        var start = 0
        for (index, byte) in bytes.enumerated() where !contains(byte, in: mask) {
            output.append(contentsOf: bytes[start..<index])
            if spaceAsPlus, byte == UInt8(ascii: " ") {
                output.append(UInt8(ascii: "+"))
            } else {
                appendEscaped(byte, to: &output)
            }
            start = index + 1
        }
        output.append(contentsOf: bytes[start...])
    }

    /// A set of ASCII bytes, a bit each.
    private typealias Mask = (low: UInt64, high: UInt64)

    private static let unreservedMask: Mask = mask { isUnreserved($0) }
    private static let queryMask: Mask = mask { isUnreserved($0) || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }

    private static func mask(_ isMember: (UInt8) -> Bool) -> Mask {
        var mask: Mask = (0, 0)
        for byte in UInt8(0)..<64 where isMember(byte) { mask.low |= 1 << UInt64(byte) }
        for byte in UInt8(64)..<128 where isMember(byte) { mask.high |= 1 << UInt64(byte - 64) }
        return mask
    }

    private static func contains(_ byte: UInt8, in mask: Mask) -> Bool {
        byte < 64 ? mask.low >> UInt64(byte) & 1 == 1 : byte < 128 && mask.high >> UInt64(byte - 64) & 1 == 1
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
