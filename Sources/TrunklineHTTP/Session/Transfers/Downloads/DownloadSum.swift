import Foundation

/// The SHA-256 of a content on its way.
struct DownloadSum: Sendable {
    private var hash = SHA256Stream()
    /// What the server says it is, in hexadecimal digits.
    var announced: String?

    mutating func take(_ bytes: UnsafeRawBufferPointer) { hash.update(bytes) }

    mutating func take(_ data: Data) { data.withUnsafeBytes { hash.update($0) } }

    /// Takes a whole file.
    mutating func take(_ file: URL) throws(HTTPError) {
        do {
            let handle = try FileHandle(forReadingFrom: file)
            while let piece = try handle.read(upToCount: 1 << 18), !piece.isEmpty { take(piece) }
        } catch {
            throw .file(FileFailure(url: file, operation: .read, reason: error.localizedDescription))
        }
    }

    /// Throws unless it is the one asked for.
    func verify(_ checksum: DownloadChecksum, announced: String?) throws(HTTPError) {
        let expected = try checksum.expected(announced: announced)
        let actual = Hexadecimal.text(of: hash.finish())
        guard actual == expected else { throw .transfer(.checksumMismatch(expected: expected, actual: actual)) }
    }
}
