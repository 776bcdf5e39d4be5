import Foundation

/// A body of any length made from a seed, never held in memory: what a client received can be checked without keeping
/// what was sent.
///
/// The bytes repeat with a period of 65,521, a prime, so a lost or doubled block of any usual size shows.
public struct LoopbackPattern: Sendable, Hashable {
    /// After how many bytes the pattern repeats.
    public static let period = 65_521

    /// What the bytes are made from.
    public let seed: UInt64

    /// One period of bytes.
    let block: [UInt8]

    /// Makes the pattern of `seed`.
    public init(seed: UInt64 = 0) {
        self.seed = seed
        var state = seed
        var words: [UInt64] = []
        words.reserveCapacity(LoopbackPattern.period / 8 + 1)
        while words.count * 8 < LoopbackPattern.period {
            state &+= 0x9E37_79B9_7F4A_7C15
            var word = state
            word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
            word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
            words.append((word ^ (word >> 31)).littleEndian)
        }
        block = words.withUnsafeBytes { Array($0.prefix(LoopbackPattern.period)) }
    }

    /// The bytes from `offset` on, `count` of them; none for a negative offset or count.
    public func bytes(from offset: Int64 = 0, count: Int) -> Data {
        guard offset >= 0, count > 0 else { return Data() }
        var result = Data(capacity: count)
        var position = Int(offset % Int64(LoopbackPattern.period))
        while result.count < count {
            let end = min(block.count, position + count - result.count)
            result.append(contentsOf: block[position..<end])
            position = 0
        }
        return result
    }

    /// The checksum of the first `count` bytes.
    public func checksum(count: Int64) -> UInt64 {
        var sum = LoopbackChecksum()
        var left = max(0, count)
        block.withUnsafeBytes { bytes in
            while left > 0 {
                let part = Int(min(left, Int64(bytes.count)))
                sum.update(UnsafeRawBufferPointer(rebasing: bytes[..<part]))
                left -= Int64(part)
            }
        }
        return sum.value
    }

    /// Patterns are equal when their seeds are.
    public static func == (lhs: LoopbackPattern, rhs: LoopbackPattern) -> Bool { lhs.seed == rhs.seed }

    /// Hashes the seed.
    public func hash(into hasher: inout Hasher) { hasher.combine(seed) }
}
