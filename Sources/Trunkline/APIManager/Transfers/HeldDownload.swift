import Foundation

/// The file of a download between its arrival and its acceptance: beside its place and hidden, so that the last step, on the
/// main actor, is one rename. It is removed with the last who could accept it.
final class HeldDownload: Sendable {
    private struct Files: Sendable {
        let target: URL
        let temporary: URL
    }

    private let destination: DownloadDestination
    private let files = Protected<Files?>(nil)

    init(_ destination: DownloadDestination) { self.destination = destination }

    deinit {
        if let files = files.current { try? FileManager.default.removeItem(at: files.temporary) }
    }

    /// For the session: a file beside the place.
    var beside: DownloadDestination {
        let place = DownloadDestination.chosen(onConflict: .replace) { [self] _, response in try hide(response) }
        return destination.makesDirectories ? place : place.withoutMakingDirectories()
    }

    private func hide(_ response: HTTPResponse) throws -> URL {
        let target = try destination.url(for: response)
        let temporary = target.deletingLastPathComponent()
            .appendingPathComponent(".\(UUID().uuidString).partial", isDirectory: false)
        files.withLock { $0 = Files(target: target, temporary: temporary) }
        return temporary
    }

    /// Moves the file to its place.
    ///
    /// - Returns: the place it got; nil when none has arrived.
    func place() throws(HTTPError) -> URL? {
        guard let files = files.current else { return nil }
        return try FilePlacing.move(files.temporary, to: files.target, conflict: destination.conflict)
    }
}
