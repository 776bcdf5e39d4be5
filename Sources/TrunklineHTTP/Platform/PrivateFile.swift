import Foundation

/// Files only their owner may read.
enum PrivateFile {
    /// Writes the file whole or not at all: a new file beside it, then a rename. Returns whether it was written.
    @discardableResult
    static func write(_ data: Data, to url: URL) -> Bool {
        let manager = FileManager.default
        try? manager.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        let draft = url.deletingLastPathComponent().appendingPathComponent(".\(UUID().uuidString)")
        guard manager.createFile(atPath: draft.path, contents: data, attributes: [.posixPermissions: 0o600]) else {
            return false
        }
        if rename(draft.path, url.path) == 0 { return true }
        try? manager.removeItem(at: draft)
        return false
    }
}
