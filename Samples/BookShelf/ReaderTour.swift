import Foundation
import SampleTerminal
import Trunkline
import TrunklineTesting

/// What a reader does with the books: searches, marks favourites on the train, looks at a cover, hands the device on.
///
/// The screens are the app's. The tour plays the world around them: it takes the network away, and asks the server what
/// it has seen.
@MainActor
struct ReaderTour {
    let library: LibraryService
    let server: BookServer
    /// Where files go.
    let directory: URL

    func show() async throws {
        await showSearch()
        try await showFavourites()
        await showCover()
        await TwoReadersScreen(library: library, server: server).show()
        print()
    }

    private func showSearch() async {
        await SearchScreen().show()
        let searches = server.searches.map { "\"\($0)\"" }
        print("The server was asked \(searches.count) times: \(searches.joined(separator: ", "))")
        print()
    }

    private func showFavourites() async throws {
        let network = StubReachability(NetworkPath(status: .unsatisfied))
        library.network = network
        defer { library.network = nil }
        var outbox = try FavouriteOutbox(of: BookServer.ada, in: directory, network: network)
        await outbox.open()
        let screen = FavouritesScreen(library: library, outbox: outbox)

        print(Terminal.bold("Favourites, marked without a network"))
        for title in ["Emma", "Candide", "Anna Karenina"] {
            for book in BookData.catalogue where book.title == title { try await screen.mark(book) }
        }
        await screen.showList()
        // As if the app were ended and started again.
        await outbox.close()
        outbox = try FavouriteOutbox(of: BookServer.ada, in: directory, network: network)
        await outbox.open()
        screen.outbox = outbox
        let before = await server.favourites.received
        print("After a restart \(await outbox.count) changes wait, and the server has \(before)")
        print()

        print(Terminal.bold("The network is back"))
        let events = outbox.events
        network.path = NetworkPath(status: .satisfied)
        await screen.showSending(events)
        await screen.showList()
        let (received, applied) = await (server.favourites.received, server.favourites.applied)
        print("\(await outbox.count) changes wait; the server got \(received) requests and made \(applied) changes")
        print()
        await outbox.close()
    }

    private func showCover() async {
        for book in BookData.catalogue where book.title == "Candide" {
            await CoverScreen(of: book, directory: directory).show()
        }
        print()
    }
}
