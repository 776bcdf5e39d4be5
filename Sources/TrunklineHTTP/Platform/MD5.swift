import Foundation

#if canImport(CryptoKit)
    import CryptoKit
#endif

/// MD5 (RFC 1321), for Digest authentication only (RFC 7616), where servers and cameras still ask for it. It is broken
/// as a hash: nothing else in the library uses it. CryptoKit's where there is one; Foundation on Linux has none.
package enum MD5Digest {
    /// The 16 bytes of the digest.
    package static func bytes(of message: [UInt8]) -> [UInt8] {
        #if canImport(CryptoKit)
            return Array(Insecure.MD5.hash(data: message))
        #else
            return SoftwareMD5.digest(message)
        #endif
    }

    /// The digest as 32 lower-case hexadecimal digits.
    package static func hex(of message: [UInt8]) -> String { Hexadecimal.text(of: bytes(of: message)) }
}

#if !canImport(CryptoKit)
    /// The algorithm itself. Every index below comes from the algorithm's constants, none from the message.
    enum SoftwareMD5 {
        static func digest(_ message: [UInt8]) -> [UInt8] {
            // Padding: a one bit, zeros, the length in bits, to a multiple of 64 bytes.
            var padded = message
            padded.append(0x80)
            while padded.count % 64 != 56 { padded.append(0) }
            withUnsafeBytes(of: (UInt64(message.count) &* 8).littleEndian) { padded.append(contentsOf: $0) }
            var state: SIMD4<UInt32> = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476]
            padded.withUnsafeBytes { bytes in
                for start in stride(from: 0, to: bytes.count, by: 64) { compress(bytes, at: start, into: &state) }
            }
            var result: [UInt8] = []
            for index in 0..<4 { withUnsafeBytes(of: state[index].littleEndian) { result.append(contentsOf: $0) } }
            return result
        }

        private static func compress(_ bytes: UnsafeRawBufferPointer, at start: Int, into state: inout SIMD4<UInt32>) {
            var (a, b, c, d) = (state[0], state[1], state[2], state[3])
            for step in 0..<64 {
                let mixed: UInt32
                let place: Int
                switch step / 16 {
                case 0: (mixed, place) = ((b & c) | (~b & d), step)
                case 1: (mixed, place) = ((d & b) | (~d & c), (5 * step + 1) % 16)
                case 2: (mixed, place) = (b ^ c ^ d, (3 * step + 5) % 16)
                default: (mixed, place) = (c ^ (b | ~d), (7 * step) % 16)
                }
                let word = UInt32(
                    littleEndian: bytes.loadUnaligned(fromByteOffset: start + place * 4, as: UInt32.self))
                let sum = a &+ mixed &+ sines[step] &+ word
                let turn = turns[step / 16 * 4 + step % 4]
                (a, d, c, b) = (d, c, b, b &+ (sum &<< turn | sum &>> (32 &- turn)))
            }
            state &+= SIMD4(a, b, c, d)
        }

        private static let turns: [UInt32] = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21]
        /// The first 32 bits after the point of |sin(i)|, i from 1: how RFC 1321, section 3.4, defines them.
        private static let sines = (1...64).map { UInt32(abs(sin(Double($0))) * 4_294_967_296) }
    }
#endif
