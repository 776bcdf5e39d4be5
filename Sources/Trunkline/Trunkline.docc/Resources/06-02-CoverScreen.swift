import Foundation
import Trunkline

/// A book's cover, downloaded into a file.
@MainActor
final class CoverScreen {
    private let library: LibraryService
    private let directory: URL
    private(set) var fraction = 0.0

    init(library: LibraryService, directory: URL) {
        self.library = library
        self.directory = directory
    }

    func show(_ book: Book) async throws -> URL {
        let url = try library.urlGeneratingRule("books/\(book.id)/cover")
        let download = library.session.download(
            .get(url, headers: library.extraHTTPHeaders(for: "books/{id}/cover")), to: .directory(directory))
        for await progress in download.progress {
            // Nil while the length is unknown.
            fraction = progress.fraction ?? 0
        }
        return try await download.file()
    }
}
