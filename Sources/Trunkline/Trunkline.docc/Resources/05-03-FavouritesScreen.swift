import Trunkline

/// Books can be marked without a network: the changes wait in the outbox, and the reader goes on.
@MainActor
final class FavouritesScreen {
    private let favourites: FavouriteOutbox
    /// The books whose changes wait.
    private(set) var waiting: [OutboxTicket: Book] = [:]

    init(_ favourites: FavouriteOutbox) { self.favourites = favourites }

    func mark(_ book: Book) async throws {
        let ticket = try await favourites.add(FavouriteChange(bookID: book.id, isFavourite: true))
        waiting[ticket] = book
    }
}
