import SampleTerminal
import Trunkline

/// The reader's favourites. Books can be marked without a network: the changes wait in the outbox, and the reader goes on.
@MainActor
final class FavouritesScreen {
    /// Where changes wait.
    var outbox: FavouriteOutbox

    private let library: LibraryService
    private let favourites = FavouritesAPI()
    /// The books whose changes wait. An app keeps the tickets on the disk: they are the same in its next run.
    private var waiting: [OutboxTicket: Book] = [:]

    private let table = Table(columns: [
        TableColumn(title: "", width: 17),
        TableColumn(title: "", width: 60),
    ])

    init(library: LibraryService, outbox: FavouriteOutbox) {
        self.library = library
        self.outbox = outbox
    }

    /// Marks a book.
    func mark(_ book: Book) async throws {
        let ticket = try await outbox.add(FavouriteChange(bookID: book.id, isFavourite: true))
        waiting[ticket] = book
        print(table.row(book.title, "waits in the outbox"))
    }

    /// Shows the list, or why there is none.
    func showList() async {
        do throws(APIError) {
            let books = try await favourites.loadValue().books
            print(table.row("The list", books.map(\.title).joined(separator: ", ")))
        } catch {
            print(table.row("The list", error.message))
        }
    }

    /// Shows what becomes of the changes, until none waits any more.
    ///
    /// - Parameter events: those since the changes were made.
    func showSending(_ events: AsyncStream<OutboxEvent>) async {
        for await event in events {
            show(event)
            if waiting.isEmpty { break }
        }
        // A list in the cache is from before the changes.
        await library.clearCache()
    }

    private func show(_ event: OutboxEvent) {
        switch event {
        case .sent(let entry, _): finish(entry, "sent")
        case .failed(let entry, let failure): finish(entry, "refused: \(failure)")
        case .expired(let entry, _): finish(entry, "given up")
        case .delayed(let entry, _, let failure):
            let status = failure.response.map { "status \($0.statusCode)" } ?? "\(failure)"
            print(table.row(waiting[entry.ticket]?.title ?? "", "no answer to rely on (\(status)): again, same key"))
        case .enqueued, .sending, .cancelled, .damaged: break
        }
    }

    private func finish(_ entry: OutboxEntry, _ end: String) {
        guard let book = waiting.removeValue(forKey: entry.ticket) else { return }
        print(table.row(book.title, end))
    }
}
