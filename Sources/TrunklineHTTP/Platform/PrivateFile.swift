import Foundation

/// Files only their owner may read.
enum PrivateFile {
    /// Writes the file whole or not at all: a new file beside it, then a rename. Returns whether it was written.
    @discardableResult
    static func write(_ data: Data, to url: URL) -> Bool {
        try? FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        guard let file = try? PartialFile(for: url, permissions: 0o600) else { return false }
        do {
            try file.write(data)
            try file.commit()
            return true
        } catch {
            file.discard()
            return false
        }
    }
}
