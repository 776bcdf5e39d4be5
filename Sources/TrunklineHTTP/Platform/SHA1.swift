#if canImport(CryptoKit)
    import CryptoKit
#endif

/// SHA-1 (FIPS 180-4): for the handshake of WebSocket, which needs it (RFC 6455, section 4.2.2), and nothing else. It is
/// no protection against anybody.
enum SHA1Digest {
    /// The 20 bytes of the digest of a short message.
    static func bytes(of message: [UInt8]) -> [UInt8] {
        #if canImport(CryptoKit)
            return Array(Insecure.SHA1.hash(data: message))
        #else
            return SoftwareSHA1.digest(message)
        #endif
    }
}

#if !canImport(CryptoKit)
    /// The algorithm itself. Every index below comes from the algorithm's constants, none from the message.
    enum SoftwareSHA1 {
        static func digest(_ message: [UInt8]) -> [UInt8] {
            var padded = message
            padded.append(0x80)
            while padded.count % 64 != 56 { padded.append(0) }
            withUnsafeBytes(of: (UInt64(message.count) &* 8).bigEndian) { padded.append(contentsOf: $0) }
            var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
            for start in stride(from: 0, to: padded.count, by: 64) { compress(padded, at: start, into: &state) }
            return state.flatMap { word in withUnsafeBytes(of: word.bigEndian) { Array($0) } }
        }

        private static func compress(_ bytes: [UInt8], at start: Int, into state: inout [UInt32]) {
            var words = [UInt32](repeating: 0, count: 80)
            for index in 0..<16 {
                words[index] = (0..<4).reduce(0) { $0 << 8 | UInt32(bytes[start + index * 4 + $1]) }
            }
            for index in 16..<80 {
                words[index] = rotate(words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16], 1)
            }
            var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
            for index in 0..<80 {
                let (mixed, constant): (UInt32, UInt32) =
                    switch index {
                    case ..<20: ((b & c) | (~b & d), 0x5A82_7999)
                    case ..<40: (b ^ c ^ d, 0x6ED9_EBA1)
                    case ..<60: ((b & c) | (b & d) | (c & d), 0x8F1B_BCDC)
                    default: (b ^ c ^ d, 0xCA62_C1D6)
                    }
                let next = rotate(a, 5) &+ mixed &+ e &+ constant &+ words[index]
                (e, d, c, b, a) = (d, c, rotate(b, 30), a, next)
            }
            for (index, word) in [a, b, c, d, e].enumerated() { state[index] &+= word }
        }

        private static func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 {
            word &<< count | word &>> (32 &- count)
        }
    }
#endif
