import Foundation
import SampleTerminal
import Trunkline

/// A book's cover, downloaded into a file, with a progress bar.
@MainActor
final class CoverScreen {
    private let library: LibraryService
    private let directory: URL

    init(library: LibraryService, directory: URL) {
        self.library = library
        self.directory = directory
    }

    func show(_ book: Book) async throws {
        print(Terminal.bold("The cover of \(book.title)"))
        let url = try library.urlGeneratingRule("books/\(book.id)/cover")
        let download = library.session.download(
            .get(url, headers: library.extraHTTPHeaders(for: "books/{id}/cover")), to: .directory(directory))
        var bar = ProgressBar()
        for await progress in download.progress { bar.show(progress.fraction ?? 0) }
        let file = try await download.file()
        print("\(file.lastPathComponent), \(try Data(contentsOf: file).count) bytes")
    }
}
