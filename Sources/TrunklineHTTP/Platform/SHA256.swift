#if canImport(CryptoKit)
    import CryptoKit
#endif

/// SHA-256 (FIPS 180-4): names the cache's files, and is one of Digest authentication's hashes. CryptoKit's where there is
/// one; Foundation on Linux has none.
package enum SHA256Digest {
    /// The 32 bytes of the digest.
    package static func bytes(of message: [UInt8]) -> [UInt8] {
        #if canImport(CryptoKit)
            return Array(CryptoKit.SHA256.hash(data: message))
        #else
            return SoftwareSHA256.digest(message)
        #endif
    }

    /// The digest as 64 lower-case hexadecimal digits.
    package static func hex(of message: [UInt8]) -> String { Hexadecimal.text(of: bytes(of: message)) }
}

#if !canImport(CryptoKit)
    /// The algorithm itself. Every index below comes from the algorithm's constants, none from the message.
    enum SoftwareSHA256 {
        static func digest(_ message: [UInt8]) -> [UInt8] {
            var state: SIMD8<UInt32> = [
                0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
            ]
            // Padding: a one bit, zeros, the length in bits, to a multiple of 64 bytes.
            var tail = Array(message.suffix(message.count % 64))
            tail.reserveCapacity(128)
            tail.append(0x80)
            while tail.count % 64 != 56 { tail.append(0) }
            withUnsafeBytes(of: (UInt64(message.count) &* 8).bigEndian) { tail.append(contentsOf: $0) }

            withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { schedule in
                constants.withUnsafeBufferPointer { constants in
                    message.withUnsafeBytes { bytes in
                        for start in stride(from: 0, to: bytes.count - bytes.count % 64, by: 64) {
                            compress(bytes, at: start, into: &state, schedule, constants)
                        }
                    }
                    tail.withUnsafeBytes { bytes in
                        for start in stride(from: 0, to: bytes.count, by: 64) {
                            compress(bytes, at: start, into: &state, schedule, constants)
                        }
                    }
                }
            }
            var result: [UInt8] = []
            result.reserveCapacity(32)
            for index in 0..<8 { withUnsafeBytes(of: state[index].bigEndian) { result.append(contentsOf: $0) } }
            return result
        }

        private static func compress(
            _ bytes: UnsafeRawBufferPointer, at start: Int, into state: inout SIMD8<UInt32>,
            _ schedule: UnsafeMutableBufferPointer<UInt32>, _ constants: UnsafeBufferPointer<UInt32>
        ) {
            for index in 0..<16 {
                let word = bytes.loadUnaligned(fromByteOffset: start + index * 4, as: UInt32.self)
                schedule.initializeElement(at: index, to: UInt32(bigEndian: word))
            }
            for index in 16..<64 {
                let early = schedule[index - 15]
                let late = schedule[index - 2]
                let first = rotate(early, 7) ^ rotate(early, 18) ^ (early >> 3)
                let second = rotate(late, 17) ^ rotate(late, 19) ^ (late >> 10)
                let word = schedule[index - 16] &+ first &+ schedule[index - 7] &+ second
                schedule.initializeElement(at: index, to: word)
            }
            var (a, b, c, d) = (state[0], state[1], state[2], state[3])
            var (e, f, g, h) = (state[4], state[5], state[6], state[7])
            for index in 0..<64 {
                let choice = (e & f) ^ (~e & g)
                let majority = (a & b) ^ (a & c) ^ (b & c)
                let upper = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
                let lower = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
                let first = h &+ upper &+ choice &+ constants[index] &+ schedule[index]
                (h, g, f, e) = (g, f, e, d &+ first)
                (d, c, b, a) = (c, b, a, first &+ lower &+ majority)
            }
            state &+= SIMD8(a, b, c, d, e, f, g, h)
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
