import Foundation

/// The file of an upload, as it was when the upload began.
struct UploadSource: Sendable {
    private static let pieceSize = 256 << 10

    let file: URL
    let length: Int64
    /// Seconds since 1970.
    let modified: Double

    init(_ file: URL) throws(HTTPError) {
        self.file = file
        length = try FileFacts.length(of: file)
        modified = UploadSource.modified(file)
    }

    /// Throws when it isn't the file any more that the upload began with.
    func check() throws(HTTPError) {
        guard try FileFacts.length(of: file) == length, UploadSource.modified(file) == modified else {
            throw .transfer(.sourceChanged(file))
        }
    }

    /// A part of it as a body that can be made again.
    func body(from offset: Int64, count: Int64) -> RequestBody {
        .stream(length: count) { [file] in
            let handle = try FileHandle(forReadingFrom: file)
            try handle.seek(toOffset: UInt64(clamping: offset))
            let left = Protected(count)
            return RequestBody.Chunks {
                let wanted = left.withLock { left in
                    let wanted = min(left, Int64(UploadSource.pieceSize))
                    left -= wanted
                    return Int(wanted)
                }
                guard wanted > 0 else { return nil }
                let piece = try handle.read(upToCount: wanted) ?? Data()
                guard piece.count == wanted else { throw HTTPError.transfer(.sourceChanged(file)) }
                return piece
            }
        }
    }

    /// The SHA-256 of a part.
    func digest(from offset: Int64, count: Int64) throws(HTTPError) -> [UInt8] {
        var hash = SHA256Stream()
        do {
            let handle = try FileHandle(forReadingFrom: file)
            try handle.seek(toOffset: UInt64(clamping: offset))
            var left = count
            while left > 0 {
                let piece = try handle.read(upToCount: Int(min(left, Int64(UploadSource.pieceSize)))) ?? Data()
                guard !piece.isEmpty else { throw HTTPError.transfer(.sourceChanged(file)) }
                piece.withUnsafeBytes { hash.update($0) }
                left -= Int64(piece.count)
            }
        } catch let error as HTTPError {
            throw error
        } catch {
            throw .file(FileFailure(url: file, operation: .read, reason: error.localizedDescription))
        }
        return hash.finish()
    }

    private static func modified(_ file: URL) -> Double {
        // Of the file itself, where the name is a link.
        (try? FileSystem.facts(at: file.resolvingSymlinksInPath().path).modified) ?? 0
    }
}
