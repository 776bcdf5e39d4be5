#if canImport(CryptoKit)
    import CryptoKit
#else
    import CTrunklineCurl
#endif
import Foundation

/// SHA-256 (FIPS 180-4): names the cache's files, and is one of Digest authentication's hashes. CryptoKit's where there is
/// one; Foundation on Linux has none.
package enum SHA256Digest {
    /// The 32 bytes of the digest.
    package static func bytes(of message: [UInt8]) -> [UInt8] {
        var stream = SHA256Stream()
        message.withUnsafeBytes { stream.update($0) }
        return stream.finish()
    }

    /// The digest as 64 lower-case hexadecimal digits.
    package static func hex(of message: [UInt8]) -> String { Hexadecimal.text(of: bytes(of: message)) }
}

#if canImport(CryptoKit)
    /// SHA-256 of bytes that come one piece after the other.
    package struct SHA256Stream: Sendable {
        private var hash = CryptoKit.SHA256()

        package init() {}

        /// Takes the next bytes.
        package mutating func update(_ bytes: UnsafeRawBufferPointer) { hash.update(bufferPointer: bytes) }

        /// The 32 bytes of the digest of all bytes taken so far.
        package func finish() -> [UInt8] { Array(hash.finalize()) }
    }
#else
    /// SHA-256 of bytes that come one piece after the other. Every index below comes from the algorithm's constants, none
    /// from the message.
    package struct SHA256Stream: Sendable {
        private var state: SIMD8<UInt32> = [
            0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
        ]
        /// Bytes that don't fill a block yet: fewer than 64.
        private var rest: [UInt8] = []
        private var count: UInt64 = 0

        package init() {}

        /// Takes the next bytes.
        package mutating func update(_ bytes: UnsafeRawBufferPointer) {
            count &+= UInt64(bytes.count)
            var bytes = bytes
            if !rest.isEmpty {
                let wanted = min(64 - rest.count, bytes.count)
                rest.append(contentsOf: bytes[..<wanted])
                bytes = UnsafeRawBufferPointer(rebasing: bytes[wanted...])
                guard rest.count == 64 else { return }
                rest.withUnsafeBytes { SHA256Stream.compress($0, into: &state) }
                rest.removeAll(keepingCapacity: true)
            }
            let whole = bytes.count & ~63
            if whole > 0 { SHA256Stream.compress(UnsafeRawBufferPointer(rebasing: bytes[..<whole]), into: &state) }
            rest.append(contentsOf: bytes[whole...])
        }

        /// The 32 bytes of the digest of all bytes taken so far.
        package func finish() -> [UInt8] {
            // Padding: a one bit, zeros, the length in bits, to a multiple of 64 bytes.
            var tail = rest
            tail.append(0x80)
            while tail.count % 64 != 56 { tail.append(0) }
            withUnsafeBytes(of: (count &* 8).bigEndian) { tail.append(contentsOf: $0) }
            var final = state
            tail.withUnsafeBytes { SHA256Stream.compress($0, into: &final) }
            var result: [UInt8] = []
            result.reserveCapacity(32)
            for index in 0..<8 { withUnsafeBytes(of: final[index].bigEndian) { result.append(contentsOf: $0) } }
            return result
        }

        /// Takes whole blocks, by the processor's instructions where it has them.
        static func compress(_ bytes: UnsafeRawBufferPointer, into state: inout SIMD8<UInt32>) {
            guard let base = bytes.baseAddress else { return }
            let isDone = withUnsafeMutableBytes(of: &state) { state in
                guard let words = state.assumingMemoryBound(to: UInt32.self).baseAddress else { return false }
                return tlc_sha256_blocks(words, base.assumingMemoryBound(to: UInt8.self), bytes.count / 64)
            }
            if !isDone { compressInSoftware(bytes, into: &state) }
        }

        /// Takes whole blocks. Sixteen rounds are written out, so that the eight working variables change places at
        /// compile time and the schedule needs no more than sixteen words.
        static func compressInSoftware(_ bytes: UnsafeRawBufferPointer, into state: inout SIMD8<UInt32>) {
            guard let base = bytes.baseAddress else { return }
            var (s0, s1, s2, s3) = (state[0], state[1], state[2], state[3])
            var (s4, s5, s6, s7) = (state[4], state[5], state[6], state[7])
            constants.withUnsafeBufferPointer { constants in
                guard let k = constants.baseAddress else { return }
                withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 16) { schedule in
                    guard let w = schedule.baseAddress else { return }
                    for start in stride(from: 0, to: bytes.count, by: 64) {
                        for index in 0..<16 {
                            let word = (base + start + index &* 4).loadUnaligned(as: UInt32.self)
                            w[index] = UInt32(bigEndian: word)
                        }
                        var (a, b, c, d, e, f, g, h) = (s0, s1, s2, s3, s4, s5, s6, s7)
                        for group in 0..<4 {
                            if group > 0 { for index in 0..<16 { expand(w, index) } }
                            let k = k + group &* 16
                            round(a, b, c, &d, e, f, g, &h, k[0] &+ w[0])
                            round(h, a, b, &c, d, e, f, &g, k[1] &+ w[1])
                            round(g, h, a, &b, c, d, e, &f, k[2] &+ w[2])
                            round(f, g, h, &a, b, c, d, &e, k[3] &+ w[3])
                            round(e, f, g, &h, a, b, c, &d, k[4] &+ w[4])
                            round(d, e, f, &g, h, a, b, &c, k[5] &+ w[5])
                            round(c, d, e, &f, g, h, a, &b, k[6] &+ w[6])
                            round(b, c, d, &e, f, g, h, &a, k[7] &+ w[7])
                            round(a, b, c, &d, e, f, g, &h, k[8] &+ w[8])
                            round(h, a, b, &c, d, e, f, &g, k[9] &+ w[9])
                            round(g, h, a, &b, c, d, e, &f, k[10] &+ w[10])
                            round(f, g, h, &a, b, c, d, &e, k[11] &+ w[11])
                            round(e, f, g, &h, a, b, c, &d, k[12] &+ w[12])
                            round(d, e, f, &g, h, a, b, &c, k[13] &+ w[13])
                            round(c, d, e, &f, g, h, a, &b, k[14] &+ w[14])
                            round(b, c, d, &e, f, g, h, &a, k[15] &+ w[15])
                        }
                        (s0, s1, s2, s3) = (s0 &+ a, s1 &+ b, s2 &+ c, s3 &+ d)
                        (s4, s5, s6, s7) = (s4 &+ e, s5 &+ f, s6 &+ g, s7 &+ h)
                    }
                }
            }
            state = SIMD8(s0, s1, s2, s3, s4, s5, s6, s7)
        }

        @inline(__always)
        private static func round(
            _ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: inout UInt32, _ e: UInt32, _ f: UInt32, _ g: UInt32,
            _ h: inout UInt32, _ added: UInt32
        ) {
            let upper = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
            let lower = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
            let first = h &+ upper &+ (g ^ (e & (f ^ g))) &+ added
            d = d &+ first
            h = first &+ lower &+ ((a & b) | (c & (a | b)))
        }

        /// The word sixteen places after the one that is there.
        @inline(__always)
        private static func expand(_ w: UnsafeMutablePointer<UInt32>, _ index: Int) {
            let early = w[(index &+ 1) & 15]
            let late = w[(index &+ 14) & 15]
            let first = rotate(early, 7) ^ rotate(early, 18) ^ (early &>> 3)
            let second = rotate(late, 17) ^ rotate(late, 19) ^ (late &>> 10)
            w[index] = w[index] &+ first &+ w[(index &+ 9) & 15] &+ second
        }

        @inline(__always)
        private static func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 {
            word &>> count | word &<< (32 &- count)
        }

        private static let constants: [UInt32] = [
            0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
            0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
            0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
            0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
            0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
            0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
            0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
            0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
        ]
    }
#endif
