import Foundation

/// Gzip (RFC 1952) in plain Swift: the same bytes on every platform, with no library to find.
enum Gzip {
    /// The compressed bytes.
    static func compress(_ data: Data) -> Data {
        let bytes = Array(data)
        // Magic, deflate, no flags, no time (so that the same input gives the same output), no hint, unknown system.
        var output: [UInt8] = [0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xFF]
        var deflater = Deflater(bytes)
        output += deflater.compress()
        append(CRC32.checksum(bytes), to: &output)
        append(UInt32(truncatingIfNeeded: bytes.count), to: &output)
        return Data(output)
    }

    private static func append(_ number: UInt32, to output: inout [UInt8]) {
        for shift in stride(from: UInt32(0), to: 32, by: 8) {
            output.append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }
}
