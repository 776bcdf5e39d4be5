import Foundation

/// Builds length-prefixed bytes. Every field says where it ends before it begins, so two different lists of fields
/// never give the same bytes, whatever the fields contain.
struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    init(capacity: Int = 256) { bytes.reserveCapacity(capacity) }

    /// The bytes with a checksum at their end; see ``ByteReader/init(sealed:)``.
    var sealed: [UInt8] {
        var writer = self
        writer.fixed(Checksum.of(bytes))
        return writer.bytes
    }

    /// One byte.
    mutating func byte(_ value: UInt8) { bytes.append(value) }

    /// An unsigned number, seven bits a byte, low bits first: short for short fields and self-delimiting.
    mutating func number(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    /// A count: never negative.
    mutating func count(_ value: Int) { number(UInt64(clamping: value)) }

    /// A number of fixed width, low byte first.
    mutating func fixed<Number: FixedWidthInteger>(_ value: Number) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    /// The length, then the bytes.
    mutating func field(_ value: [UInt8]) {
        count(value.count)
        bytes.append(contentsOf: value)
    }

    /// The length, then the bytes.
    mutating func field(_ value: Data) {
        count(value.count)
        bytes.append(contentsOf: value)
    }

    /// The length of the UTF-8 form, then that form.
    mutating func field(_ value: String) {
        let text = value.utf8
        count(text.count)
        bytes.append(contentsOf: text)
    }

    /// The bytes alone: what they are part of says how many there are.
    mutating func raw(_ value: some Sequence<UInt8>) { bytes.append(contentsOf: value) }

    /// The length of what the closure writes, then that.
    mutating func nested(_ write: (inout ByteWriter) -> Void) {
        var inner = ByteWriter(capacity: 0)
        write(&inner)
        field(inner.bytes)
    }

    /// Absent and empty are told apart.
    mutating func field(optional value: String?) {
        guard let value else { return byte(0) }
        byte(1)
        field(value)
    }

    /// A point in time, exactly as the process has it.
    mutating func date(_ value: Date) { fixed(value.timeIntervalSinceReferenceDate.bitPattern) }

    /// The number of lines, then name and value of each, in order.
    mutating func headers(_ value: HTTPHeaders) {
        count(value.count)
        for line in value {
            field(line.name)
            field(line.value)
        }
    }
}
