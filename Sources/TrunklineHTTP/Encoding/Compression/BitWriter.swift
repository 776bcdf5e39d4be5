/// Bits packed into bytes, lowest first (RFC 1951, section 3.1.1).
struct BitWriter {
    private var bytes: [UInt8] = []
    private var pending: UInt64 = 0
    private var pendingCount = 0

    /// Appends a number's low bits, lowest first.
    mutating func append(_ bits: UInt32, count: Int) {
        pending |= UInt64(bits) << UInt64(pendingCount)
        pendingCount += count
        while pendingCount >= 8 {
            bytes.append(UInt8(truncatingIfNeeded: pending))
            pending >>= 8
            pendingCount -= 8
        }
    }

    /// Appends a Huffman code, which goes highest bit first.
    mutating func appendCode(_ code: UInt32, count: Int) {
        var reversed: UInt32 = 0
        for bit in 0..<UInt32(count) where code >> bit & 1 == 1 { reversed |= 1 << (UInt32(count) - 1 - bit) }
        append(reversed, count: count)
    }

    /// The bytes, the last filled up with zeros.
    mutating func finished() -> [UInt8] {
        if pendingCount > 0 { append(0, count: 8 - pendingCount) }
        return bytes
    }
}
