/// A fast 64-bit checksum against damage, not against forgery: four lanes of eight bytes each, about memory speed.
///
/// Each step is a bijection of its lane for a given word and of the word for a given lane, and so is the way the lanes
/// are joined: damage within one aligned word is always noticed, any other with odds of one in 2^64 against.
enum Checksum {
    static func of(_ bytes: UnsafeRawBufferPointer, seed: UInt64 = 0) -> UInt64 {
        var (a, b) = (seed ^ 0x9E37_79B9_7F4A_7C15, seed ^ 0xC2B2_AE3D_27D4_EB4F)
        var (c, d) = (seed ^ 0x1656_67B1_9E37_79F9, seed ^ 0x27D4_EB2F_1656_67C5)
        var offset = 0
        while bytes.count - offset >= 32 {
            a = step(a, word(bytes, offset))
            b = step(b, word(bytes, offset + 8))
            c = step(c, word(bytes, offset + 16))
            d = step(d, word(bytes, offset + 24))
            offset += 32
        }
        while bytes.count - offset >= 8 {
            a = step(a, word(bytes, offset))
            offset += 8
        }
        var last: UInt64 = 0
        var shift: UInt64 = 0
        while offset < bytes.count {
            last |= UInt64(bytes[offset]) << shift
            shift += 8
            offset += 1
        }
        b = step(b, last)
        // The length tells apart what padding with zeros makes equal.
        var sum = step(a, UInt64(bytes.count))
        for lane in [b, c, d] { sum = step(sum, lane) }
        return sum ^ (sum >> 32)
    }

    static func of(_ bytes: [UInt8], seed: UInt64 = 0) -> UInt64 {
        bytes.withUnsafeBytes { of($0, seed: seed) }
    }

    @inline(__always)
    private static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    @inline(__always)
    private static func step(_ lane: UInt64, _ word: UInt64) -> UInt64 {
        let mixed = (lane ^ word) &* 0x9FB2_1C65_1E98_DF25
        return mixed << 29 | mixed >> 35
    }
}
