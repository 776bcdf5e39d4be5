import Foundation

/// A running 64-bit checksum of bytes, for bodies too large to keep. It finds lost, doubled, swapped and changed bytes;
/// it does not protect from anybody who forges them.
///
/// The sum takes eight bytes at a time (little-endian, the last word padded with zeros and followed by the length):
/// `sum = rotateLeft((sum ^ word) &* prime, by: 29)`.
public struct LoopbackChecksum: Sendable, Hashable {
    private static let prime: UInt64 = 0x9E37_79B9_7F4A_7C15
    private var sum: UInt64 = 0xCBF2_9CE4_8422_2325
    private var pending: UInt64 = 0
    private var pendingCount: UInt64 = 0

    /// How many bytes were added.
    public private(set) var count: Int64 = 0

    /// Starts with no byte.
    public init() {}

    /// The checksum of `data`.
    public init(of data: Data) {
        update(data)
    }

    /// Adds bytes to the end; how they are cut into calls makes no difference.
    public mutating func update(_ data: Data) {
        data.withUnsafeBytes { update($0) }
    }

    /// Adds bytes to the end; how they are cut into calls makes no difference.
    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        count &+= Int64(bytes.count)
        var offset = 0
        while pendingCount != 0, offset < bytes.count {
            push(bytes[offset])
            offset += 1
        }
        while bytes.count - offset >= 8 {
            mix(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
            offset += 8
        }
        while offset < bytes.count {
            push(bytes[offset])
            offset += 1
        }
    }

    /// The checksum of all bytes so far.
    public var value: UInt64 {
        var copy = self
        if copy.pendingCount != 0 { copy.mix(copy.pending) }
        copy.mix(UInt64(bitPattern: count))
        return copy.sum ^ (copy.sum >> 32)
    }

    private mutating func push(_ byte: UInt8) {
        pending |= UInt64(byte) << (pendingCount * 8)
        pendingCount += 1
        guard pendingCount == 8 else { return }
        mix(pending)
        pending = 0
        pendingCount = 0
    }

    private mutating func mix(_ word: UInt64) {
        let product = (sum ^ word) &* LoopbackChecksum.prime
        sum = product << 29 | product >> 35
    }
}
