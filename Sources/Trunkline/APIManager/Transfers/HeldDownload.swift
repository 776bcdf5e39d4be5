import Foundation

/// The file of a download between its arrival and its acceptance. It waits on the volume of its place, so that the last
/// step, on the main actor, is one rename, and is removed with the last who could accept it.
final class HeldDownload: Sendable {
    private struct Files: Sendable {
        let target: URL
        let waiting: URL
    }

    private let destination: DownloadDestination
    private let place: URL
    private let files = Protected<Files?>(nil)

    /// - Parameter place: where it waits, unless that is on another volume than its place.
    init(_ destination: DownloadDestination, waitingAt place: URL) {
        self.destination = destination
        self.place = place
    }

    deinit {
        if let files = files.current { try? FileManager.default.removeItem(at: files.waiting) }
    }

    /// Where the session puts it.
    var waiting: DownloadDestination {
        .chosen(onConflict: .replace) { [self] _, response in try take(response) }
    }

    private func take(_ response: HTTPResponse) throws -> URL {
        let target = try destination.url(for: response)
        let directory = target.deletingLastPathComponent()
        let isNear = Self.volume(of: directory) == Self.volume(of: place)
        let mayBeBeside = destination.makesDirectories || FileManager.default.fileExists(atPath: directory.path)
        let waiting =
            isNear || !mayBeBeside
            ? place : directory.appendingPathComponent(".\(UUID().uuidString).partial", isDirectory: false)
        files.withLock { $0 = Files(target: target, waiting: waiting) }
        return waiting
    }

    /// The volume of what is there, or will be.
    private static func volume(of url: URL) -> Int? {
        var url = url.standardizedFileURL
        for _ in url.pathComponents {
            let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
            if let number = attributes?[.systemNumber] as? NSNumber { return number.intValue }
            url.deleteLastPathComponent()
        }
        return nil
    }

    /// Moves the file to its place.
    ///
    /// - Returns: the place it got; nil when none has arrived.
    func accept() throws(HTTPError) -> URL? {
        guard let files = files.current else { return nil }
        return try FilePlacing.move(
            files.waiting, to: files.target, conflict: destination.conflict,
            makesDirectories: destination.makesDirectories)
    }
}
