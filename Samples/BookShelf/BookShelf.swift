import Foundation
import SampleTerminal
import Trunkline

/// A list of books in the terminal: the library's main job in one small app.
///
/// Read on in `Service/LibraryService.swift` (the backend), `API/BooksHotListAPI.swift` (an endpoint) and
/// `Screen/BookListScreen.swift` (who uses it); then in `ReaderTour.swift` for all that a reader does with the books.
@main
@MainActor
struct BookShelf {
    static func main() async {
        do {
            let options = try Options(CommandLine.arguments.dropFirst())
            if options.showsHelp {
                print(Options.help)
            } else if let baseURL = options.baseURL {
                register(baseURL: baseURL)
                try await showList(pages: options.pages)
            } else {
                try await showAll(pages: options.pages)
            }
        } catch let error as UsageError {
            Terminal.complain("\(error). Try --help.")
            exit(EX_USAGE)
        } catch let error as APIError {
            // The sentence for the reader, then the one for who has to mend it.
            Terminal.complain("\(error.message) (\(error.reason))")
            exit(EXIT_FAILURE)
        } catch {
            Terminal.complain("\(error)")
            exit(EXIT_FAILURE)
        }
    }

    /// Start-up, as an app does it once: who is there for `.library`.
    @discardableResult
    private static func register(baseURL: String) -> LibraryService {
        let library = LibraryService()
        library.developmentBaseURL = baseURL
        library.environmentName = .development
        ServiceFactory.shared.register(.library) { library }
        return library
    }

    private static func showAll(pages: Int?) async throws {
        let server = try BookServer()
        defer { server.stop() }
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        let library = register(baseURL: server.baseURL)
        library.transferDirectory = directory.url
        library.logIn(BookServer.ada)

        try await showList(pages: pages)
        await TroubleScreen(library: library).show()
        try await AwaitedScreen().show()
        try await ReaderTour(library: library, server: server, directory: directory.url).show()

        let traffic = Traffic.shared
        print("\(traffic.requestsSent) requests sent, \(traffic.answersFromCache) answers from the cache")
    }

    private static func showList(pages: Int?) async throws {
        let screen = BookListScreen(pages: pages)
        await screen.show()
        if let failure = screen.failure { throw failure }
    }
}
