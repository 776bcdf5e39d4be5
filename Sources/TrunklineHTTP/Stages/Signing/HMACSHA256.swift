import Foundation

/// HMAC with SHA-256 (RFC 2104, FIPS 180-4), for signatures of requests.
///
/// ```swift
/// request.headers["X-Signature"] = HMACSHA256.hexadecimal(of: Data(text.utf8), key: Data(secret.utf8))
/// ```
public enum HMACSHA256 {
    private static let blockSize = 64

    /// The 32 bytes of the code.
    ///
    /// - Parameters:
    ///   - message: what is signed.
    ///   - key: the secret, of any length; one longer than 64 bytes counts by its SHA-256 (RFC 2104, section 2).
    public static func code(of message: Data, key: Data) -> Data {
        var block = key.count > blockSize ? SHA256Digest.bytes(of: Array(key)) : Array(key)
        block += Array(repeating: 0, count: max(0, blockSize - block.count))
        let inner = digest(block.map { $0 ^ 0x36 }, message)
        return Data(digest(block.map { $0 ^ 0x5C }, Data(inner)))
    }

    /// The code as 64 lower-case hexadecimal digits.
    public static func hexadecimal(of message: Data, key: Data) -> String {
        Hexadecimal.text(of: code(of: message, key: key))
    }

    /// The SHA-256 of bytes as 64 lower-case hexadecimal digits: of a body, which many signatures are over.
    public static func contentHash(of content: Data) -> String { SHA256Digest.hex(of: Array(content)) }

    private static func digest(_ pad: [UInt8], _ message: Data) -> [UInt8] {
        var stream = SHA256Stream()
        pad.withUnsafeBytes { stream.update($0) }
        message.withUnsafeBytes { stream.update($0) }
        return stream.finish()
    }
}
