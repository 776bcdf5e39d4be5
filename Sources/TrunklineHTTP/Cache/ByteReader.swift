import Foundation

/// Reads what ``ByteWriter`` wrote, from a file that may hold anything: every read is checked against what is left and
/// gives nil when the bytes don't allow it. Nothing is allocated by a length before that length was checked.
struct ByteReader {
    private let bytes: ArraySlice<UInt8>
    private var position: Int

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    /// Reads what ``ByteWriter/sealed`` gave; nil when it is damaged.
    init?(sealed bytes: [UInt8]) {
        guard bytes.count > 8 else { return nil }
        var tail = ByteReader(bytes.suffix(8))
        let content = bytes.dropLast(8)
        guard tail.fixed(UInt64.self) == Checksum.of(Array(content)) else { return nil }
        self.init(content)
    }

    /// Whether everything was read.
    var isAtEnd: Bool { position == bytes.endIndex }

    mutating func byte() -> UInt8? {
        guard position < bytes.endIndex else { return nil }
        defer { position += 1 }
        return bytes[position]
    }

    mutating func number() -> UInt64? {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            guard let next = byte() else { return nil }
            let part = UInt64(next & 0x7F)
            guard (part << shift) >> shift == part else { return nil }
            value |= part << shift
            if next < 0x80 { return value }
        }
        return nil
    }

    /// A number that is at most what is left to read, so it can't be the promise of a huge list or field.
    mutating func count() -> Int? {
        guard let value = number(), value <= UInt64(bytes.endIndex - position) else { return nil }
        return Int(value)
    }

    mutating func fixed<Number: FixedWidthInteger>(_ type: Number.Type) -> Number? {
        let width = Number.bitWidth / 8
        guard bytes.endIndex - position >= width else { return nil }
        var value: Number = 0
        for offset in 0..<width {
            value |= Number(truncatingIfNeeded: bytes[position + offset]) << Number(truncatingIfNeeded: offset * 8)
        }
        position += width
        return value
    }

    mutating func field() -> ArraySlice<UInt8>? {
        guard let length = count() else { return nil }
        defer { position += length }
        return bytes[position..<(position + length)]
    }

    mutating func string() -> String? { field().map { String(decoding: $0, as: UTF8.self) } }

    /// An absent text is `.some(nil)`, bytes that can't be read are nil.
    mutating func optionalString() -> String?? {
        switch byte() {
        case 0: .some(nil)
        case 1: string().map { .some($0) }
        default: nil
        }
    }

    mutating func date() -> Date? {
        guard let bits = fixed(UInt64.self) else { return nil }
        let seconds = Double(bitPattern: bits)
        return seconds.isFinite ? Date(timeIntervalSinceReferenceDate: seconds) : nil
    }

    mutating func headers() -> HTTPHeaders? {
        guard let count = count() else { return nil }
        var lines: [HTTPHeaders.Field] = []
        for _ in 0..<count {
            guard let name = string(), let value = string() else { return nil }
            lines.append(HTTPHeaders.Field(name, value))
        }
        return HTTPHeaders(lines)
    }
}
