import Foundation

/// Checks UTF-8 (RFC 3629) that comes in pieces, characters cut between them included.
struct UTF8Validator: Sendable {
    /// How many bytes the character that was begun still needs.
    private var missing = 0
    /// The range of its next byte.
    private var low: UInt8 = 0x80
    private var high: UInt8 = 0xBF

    /// Whether everything so far is whole characters.
    var isComplete: Bool { missing == 0 }

    /// Takes the next bytes; false once they can't be UTF-8.
    mutating func push(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var index = 0
        while index < bytes.count {
            if missing == 0 {
                // Runs of ASCII, eight bytes at a time.
                while index + 8 <= bytes.count,
                    bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
                {
                    index += 8
                }
                guard index < bytes.count else { return true }
            }
            guard push(bytes[index]) else { return false }
            index += 1
        }
        return true
    }

    private mutating func push(_ byte: UInt8) -> Bool {
        if missing > 0 {
            guard byte >= low, byte <= high else { return false }
            missing -= 1
            (low, high) = (0x80, 0xBF)
            return true
        }
        switch byte {
        case 0x00...0x7F: return true
        case 0xC2...0xDF: missing = 1
        case 0xE0: (missing, low) = (2, 0xA0)
        case 0xED: (missing, high) = (2, 0x9F)
        case 0xE1...0xEF: missing = 2
        case 0xF0: (missing, low) = (3, 0x90)
        case 0xF4: (missing, high) = (3, 0x8F)
        case 0xF1...0xF3: missing = 3
        default: return false
        }
        return true
    }
}
