import Foundation

/// Moves a finished file into its place, in one step and by the rule for what is there: the only code that does.
package enum FilePlacing {
    /// How many numbers are tried for a free name.
    private static let mostNumbers = 10_000

    /// - Parameters:
    ///   - file: the finished file; gone from here afterwards.
    ///   - target: the place wanted.
    /// - Returns: the place it got.
    package static func move(
        _ file: URL, to target: URL, conflict: DownloadDestination.Conflict = .replace, makesDirectories: Bool = false
    ) throws(HTTPError) -> URL {
        guard target.isFileURL else {
            throw .file(FileFailure(url: target, operation: .move, reason: "the URL is not a file URL"))
        }
        if makesDirectories {
            do {
                try FileManager.default.createDirectory(
                    at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
            } catch {
                throw .file(FileFailure(url: target, operation: .write, reason: error.localizedDescription))
            }
        }
        do {
            return try place(file, at: target, conflict)
        } catch {
            guard error.code == EXDEV else { throw failure(error, target) }
        }
        // Another volume: a copy beside the place first, so that the last step is one step there too.
        let copy = target.deletingLastPathComponent()
            .appendingPathComponent(".\(UUID().uuidString).partial", isDirectory: false)
        do {
            try FileManager.default.copyItem(at: file, to: copy)
        } catch {
            try? FileManager.default.removeItem(at: copy)
            throw .file(FileFailure(url: target, operation: .move, reason: error.localizedDescription))
        }
        do {
            let place = try place(copy, at: target, conflict)
            try? FileSystem.delete(file.path)
            return place
        } catch {
            try? FileSystem.delete(copy.path)
            throw failure(error, target)
        }
    }

    private static func failure(_ error: FileSystem.Failure, _ target: URL) -> HTTPError {
        error.code == EEXIST
            ? .transfer(.destinationExists(target))
            : .file(FileFailure(url: target, operation: .move, reason: String(cString: strerror(error.code))))
    }

    private static func place(
        _ file: URL, at target: URL, _ conflict: DownloadDestination.Conflict
    ) throws(FileSystem.Failure) -> URL {
        switch conflict {
        case .replace:
            try FileSystem.move(file.path, to: target.path)
            return target
        case .fail:
            try FileSystem.moveWithoutReplacing(file.path, to: target.path)
            return target
        case .number:
            var place = target
            for number in 1...mostNumbers {
                do {
                    try FileSystem.moveWithoutReplacing(file.path, to: place.path)
                    return place
                } catch {
                    guard error.code == EEXIST else { throw error }
                    place = target.deletingLastPathComponent()
                        .appendingPathComponent(
                            SafeFileName.numbered(target.lastPathComponent, number), isDirectory: false)
                }
            }
            throw FileSystem.Failure(call: "link", code: EEXIST)
        }
    }
}
