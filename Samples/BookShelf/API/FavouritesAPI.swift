import Trunkline

/// The favourites of the reader who is logged in, `GET v1/favourites`. They are changed through `FavouriteOutbox`.
final class FavouritesAPI: LibraryValueAPI<BookList>, APIManagerProtocol {
    func methodName() -> String { "favourites" }

    // Each reader's answer has a place of its own in the cache: the service says whose it is.
    override func shouldCache() -> Bool { true }
    override func cacheLifetime(for service: Service) -> Duration { .seconds(60) }
}
