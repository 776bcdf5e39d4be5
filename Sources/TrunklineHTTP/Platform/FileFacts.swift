import Foundation

/// What the library asks the file system about a file.
enum FileFacts {
    /// The length of a readable regular file, in bytes.
    static func length(of url: URL) throws(HTTPError) -> Int64 {
        guard url.isFileURL else {
            throw .file(FileFailure(url: url, operation: .read, reason: "the URL is not a file URL"))
        }
        let attributes: [FileAttributeKey: Any]
        do {
            attributes = try FileManager.default.attributesOfItem(atPath: url.path)
        } catch {
            throw .file(FileFailure(url: url, operation: .read, reason: error.localizedDescription))
        }
        guard attributes[.type] as? FileAttributeType == .typeRegular, let size = attributes[.size] as? NSNumber else {
            throw .file(FileFailure(url: url, operation: .read, reason: "not a regular file"))
        }
        return size.int64Value
    }
}
