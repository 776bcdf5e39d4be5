import Trunkline

/// The book of the day, `GET v1/books/today`.
final class BookOfTheDayAPI: TypedAPIManager<Book, NoContent>, APIManagerProtocol {
    func methodName() -> String { "books/today" }
    func serviceIdentifier() -> ServiceIdentifier { .library }
}
