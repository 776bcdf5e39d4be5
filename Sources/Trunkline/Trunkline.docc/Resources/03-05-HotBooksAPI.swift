import Trunkline

/// The books that are read most, page by page: `GET v1/books/hot?page=1&pageSize=20`.
final class HotBooksAPI: ItemPagingManager<Book>, APIManagerProtocol {
    func methodName() -> String { "books/hot" }
    func serviceIdentifier() -> ServiceIdentifier { .library }

    override var itemsKeyPath: String? { "books" }
    override var totalCountKeyPath: String? { "total" }

    // The list changes by the day, not by the minute.
    override func shouldCache() -> Bool { true }
    override func cacheLifetime(for service: Service) -> Duration { .seconds(60) }
}
