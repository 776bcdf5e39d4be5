import Foundation

/// A file that is written once, front to back, with errors that name it.
package final class FileSink: Sendable {
    package let url: URL
    private let handle: Protected<FileHandle?>

    /// Creates the file, or empties it, with access for its owner only when it is new.
    package init(_ url: URL) throws(HTTPError) {
        self.url = url
        let path = url.path
        if FileManager.default.fileExists(atPath: path) {
            guard truncate(path, 0) == 0 else {
                throw .file(FileFailure(url: url, operation: .write, reason: String(cString: strerror(errno))))
            }
        } else if !FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]) {
            throw .file(FileFailure(url: url, operation: .write, reason: "it can't be created"))
        }
        do {
            handle = Protected(try FileHandle(forWritingTo: url))
        } catch {
            throw .file(FileFailure(url: url, operation: .write, reason: error.localizedDescription))
        }
    }

    /// A new file with a name of its own in the temporary directory.
    static func temporary(prefix: String) throws(HTTPError) -> FileSink {
        try FileSink(FileManager.default.temporaryDirectory.appendingPathComponent("\(prefix)-\(UUID().uuidString)"))
    }

    package func write(_ data: Data) throws(HTTPError) {
        do {
            try handle.withLock { try $0?.write(contentsOf: data) }
        } catch {
            throw .file(FileFailure(url: url, operation: .write, reason: error.localizedDescription))
        }
    }

    /// Closes the file; writing afterwards does nothing.
    package func close() throws(HTTPError) {
        do {
            try handle.withLock { handle in
                try handle?.close()
                handle = nil
            }
        } catch {
            throw .file(FileFailure(url: url, operation: .write, reason: error.localizedDescription))
        }
    }

    /// Closes and removes the file.
    package func discard() {
        try? close()
        try? FileManager.default.removeItem(at: url)
    }
}
