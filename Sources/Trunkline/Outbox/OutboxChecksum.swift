/// A 64-bit checksum against damage, not against forgery (FNV-1a). Each step is a bijection of the sum and of the byte,
/// so that any change to one byte is noticed.
struct OutboxChecksum {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    }

    static func of(_ bytes: some Sequence<UInt8>) -> UInt64 {
        var sum = OutboxChecksum()
        sum.add(bytes)
        return sum.value
    }
}
