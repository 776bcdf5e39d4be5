import SampleTerminal
import Trunkline

/// One screen and two readers, one after the other: neither sees what was loaded for the other.
@MainActor
final class TwoReadersScreen {
    private let library: LibraryService
    private let server: BookServer
    private let favourites = FavouritesAPI()
    private var step = ""
    private let end = Callback()

    private let table = Table(columns: [
        TableColumn(title: "Logged in", width: 9),
        TableColumn(title: "Load", width: 22),
        TableColumn(title: "Ends with", width: 9),
        TableColumn(title: "On the screen", width: 29),
    ])

    init(library: LibraryService, server: BookServer) {
        self.library = library
        self.server = server
        favourites.delegate = self
    }

    /// What an app does when another reader logs in.
    private func switchReader(to reader: Reader) {
        library.logIn(reader)
        // The screen is empty until the new reader's own list is there.
        favourites.forgetResults()
    }

    // MARK: - The script

    func show() async {
        print(Terminal.bold("Two readers, one screen"))
        print(table.header)
        await attempt("her favourites") { favourites.loadData() }

        switchReader(to: BookServer.ben)
        await attempt("what the cache has") { favourites.loadCacheData() }
        await attempt("his favourites") { favourites.loadData() }
        await showSwitchWhileLoading()
        await attempt("her favourites again") { favourites.loadData() }
    }

    /// Ben's list is on its way when Ada takes over: its answer comes, and is nobody's.
    private func showSwitchWhileLoading() async {
        await library.clearCache()
        server.holdFavourites()
        await server.waitForFavourites { favourites.loadData() }
        switchReader(to: BookServer.ada)
        await attempt("his, still on its way") { server.releaseFavourites() }
    }

    private func attempt(_ step: String, _ start: () -> Void) async {
        self.step = step
        await end.wait(for: start)
    }

    private func report(_ shown: String) {
        print(table.row(library.userIdentifier ?? "nobody", step, "\(favourites.errorType)", shown))
        end.arrived()
    }
}

extension TwoReadersScreen: APIManagerCallbackDelegate {
    func managerCallAPISuccess(_ manager: BaseAPIManager) {
        let titles = favourites.value?.books.map(\.title) ?? []
        report(titles.joined(separator: ", "))
    }

    func managerCallAPIFailed(_ manager: BaseAPIManager) {
        report("nothing")
    }
}
