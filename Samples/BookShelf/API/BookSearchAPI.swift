import Trunkline

/// Books whose title or author has the words, `GET v1/books?words=…`. Made to be loaded with every letter:
/// `loadDebounced(after:)` waits for a pause, and an answer to what was typed before is dropped.
final class BookSearchAPI: LibraryValueAPI<BookList>, APIManagerProtocol {
    func methodName() -> String { "books" }

    override func reloadPolicy() -> ReloadPolicy { .cancelPrevious }
}
