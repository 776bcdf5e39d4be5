import Foundation
import Trunkline

/// A book's cover as a file, `GET v1/books/{id}/cover`. Takes the `id` from the param source.
final class CoverAPI: DownloadAPIManager, LibraryRules, APIManagerProtocol {
    private let directory: URL

    /// - Parameter directory: where covers go. An app has it in its caches.
    init(directory: URL) {
        self.directory = directory
        super.init()
        // The rules for JSON answers are not for a file: there is no validator.
        interceptor = self
    }

    func methodName() -> String { "books/{id}/cover" }
    func serviceIdentifier() -> ServiceIdentifier { .library }

    // The server names the file. A cover that is there already is replaced.
    override func destination(with params: Parameters) -> DownloadDestination {
        .directory(directory, onConflict: .replace)
    }
}
