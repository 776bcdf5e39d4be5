import Trunkline

/// Books whose title or author has the words, `GET v1/books?words=…`.
final class BookSearchAPI: TypedAPIManager<BookList, ServerMessage>, APIManagerProtocol {
    func methodName() -> String { "books" }
    func serviceIdentifier() -> ServiceIdentifier { .library }

    // What was typed before is of no interest any more.
    override func reloadPolicy() -> ReloadPolicy { .cancelPrevious }
}
