import Foundation

/// Where a download goes when it is complete and accepted.
///
///     .file(url)                              // exactly there, over an older one
///     .directory(documents)                   // under the server's name, made safe; "x (1).txt" where there is an "x.txt"
///     .chosen { name, _ in folder.appending(path: name.text) }
///
/// The file takes its place in one step. Until then, and after any failure, whatever was there is untouched.
public struct DownloadDestination: Sendable {
    /// What happens where there is a file already.
    public enum Conflict: Hashable, Sendable {
        /// It is replaced.
        case replace
        /// The download fails with ``TransferFailure/destinationExists(_:)``.
        case fail
        /// The new file gets the first free number: `x (1).txt`.
        case number
    }

    private enum Place: Sendable {
        case file(URL)
        case directory(URL)
        case chosen(@Sendable (SafeFileName, HTTPResponse) throws -> URL)
    }

    private let place: Place
    /// What happens where there is a file already.
    public var conflict: Conflict
    /// Whether directories that are missing on the way are made; by default they are.
    public var makesDirectories: Bool

    /// Exactly this file.
    ///
    /// - Parameters:
    ///   - url: a file URL.
    ///   - conflict: what happens to a file that is there; by default it is replaced.
    public static func file(_ url: URL, onConflict conflict: Conflict = .replace) -> DownloadDestination {
        DownloadDestination(place: .file(url), conflict: conflict, makesDirectories: true)
    }

    /// A file of this directory under the name the response suggests (``HTTPResponse/suggestedFileName``): always a direct
    /// child, whatever the server sent.
    ///
    /// - Parameters:
    ///   - url: a file URL of a directory.
    ///   - conflict: what happens to a file of that name; by default the new one gets a number.
    public static func directory(_ url: URL, onConflict conflict: Conflict = .number) -> DownloadDestination {
        DownloadDestination(place: .directory(url), conflict: conflict, makesDirectories: true)
    }

    /// The file that `choose` gives, called once, off the main actor, when the response was accepted; with the suggested
    /// name and the response. What it throws ends the download.
    public static func chosen(
        onConflict conflict: Conflict = .replace,
        by choose: @escaping @Sendable (SafeFileName, HTTPResponse) throws -> URL
    ) -> DownloadDestination {
        DownloadDestination(place: .chosen(choose), conflict: conflict, makesDirectories: true)
    }

    /// The same place; a missing directory is an error.
    public func withoutMakingDirectories() -> DownloadDestination {
        var copy = self
        copy.makesDirectories = false
        return copy
    }

    /// The place for this response.
    package func url(for response: HTTPResponse) throws -> URL {
        let url: URL
        switch place {
        case .file(let file): url = file
        case .directory(let directory):
            url = directory.appendingPathComponent(response.suggestedFileName.text, isDirectory: false)
        case .chosen(let choose): url = try choose(response.suggestedFileName, response)
        }
        guard url.isFileURL else {
            throw HTTPError.file(FileFailure(url: url, operation: .write, reason: "the URL is not a file URL"))
        }
        return url
    }
}
