import Foundation

/// A file written under another name next to its place and moved there when it is complete, so that nobody ever sees half
/// of it and an older one survives a failure.
final class PartialFile: Sendable {
    private let url: URL
    private let temporary: URL
    private let handle: Protected<FileHandle?>

    /// Creates the temporary file in the directory of `url`.
    ///
    /// - Parameter permissions: the file's mode; by default what the process gives new files.
    init(for url: URL, permissions: Int? = nil) throws(HTTPError) {
        self.url = url
        temporary = url.deletingLastPathComponent()
            .appendingPathComponent(".\(UUID().uuidString).partial", isDirectory: false)
        let attributes = permissions.map { [FileAttributeKey.posixPermissions: $0 as Any] }
        guard FileManager.default.createFile(atPath: temporary.path, contents: nil, attributes: attributes) else {
            throw .file(FileFailure(url: url, operation: .write, reason: "it can't be created in its directory"))
        }
        do {
            handle = Protected(try FileHandle(forWritingTo: temporary))
        } catch {
            try? FileManager.default.removeItem(at: temporary)
            throw .file(FileFailure(url: url, operation: .write, reason: error.localizedDescription))
        }
    }

    /// Appends bytes.
    func write(_ data: Data) throws(HTTPError) {
        do {
            try handle.withLock { try $0?.write(contentsOf: data) }
        } catch {
            throw .file(FileFailure(url: url, operation: .write, reason: error.localizedDescription))
        }
    }

    /// Closes the file and moves it to its place, over one that is there.
    func commit() throws(HTTPError) {
        close()
        guard rename(temporary.path, url.path) == 0 else {
            throw .file(FileFailure(url: url, operation: .move, reason: String(cString: strerror(errno))))
        }
    }

    /// Closes and removes the temporary file.
    func discard() {
        close()
        try? FileManager.default.removeItem(at: temporary)
    }

    private func close() {
        handle.withLock { handle in
            try? handle?.close()
            handle = nil
        }
    }
}
