import Trunkline

/// Books can be marked without a network: the changes wait in the outbox, and the reader goes on.
@MainActor
final class FavouritesScreen {
    private let favourites: FavouriteOutbox
    /// The books whose changes wait.
    private(set) var waiting: [OutboxTicket: Book] = [:]
    private(set) var refused: [Book] = []

    init(_ favourites: FavouriteOutbox) { self.favourites = favourites }

    func mark(_ book: Book) async throws {
        let ticket = try await favourites.add(FavouriteChange(bookID: book.id, isFavourite: true))
        waiting[ticket] = book
    }

    /// Follows what becomes of the changes, for as long as the screen is there.
    func follow() async {
        for await event in favourites.outbox.events {
            switch event {
            case .sent(let entry, _):
                waiting[entry.ticket] = nil
            case .failed(let entry, _), .expired(let entry, _):
                if let book = waiting.removeValue(forKey: entry.ticket) { refused.append(book) }
            case .enqueued, .sending, .delayed, .cancelled, .damaged:
                break
            }
        }
    }
}
