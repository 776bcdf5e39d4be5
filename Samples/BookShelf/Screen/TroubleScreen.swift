import SampleTerminal
import Trunkline

/// Loads that don't go the usual way, each with the kind of its end and what the reader is told. One object is param
/// source and delegate of several managers.
@MainActor
final class TroubleScreen {
    private let library: LibraryService
    private let books = BooksHotListAPI()
    private let broken = BrokenShelfAPI()
    private let slow = SlowShelfAPI()

    private var language: String?
    private var attempt = ""
    private let end = Callback()

    private let table = Table(columns: [
        TableColumn(title: "Load", width: 12),
        TableColumn(title: "Ends with", width: 11),
        TableColumn(title: "The reader is told", width: 60),
    ])

    init(library: LibraryService) {
        self.library = library
        for manager in [books, broken, slow] {
            manager.paramSource = self
            manager.delegate = self
        }
    }

    func show() async {
        print(Terminal.bold("Loads that go another way"))
        print(table.header)
        await attempt("Same again") { books.loadData() }

        language = "klingon"
        await attempt("Bad language") { books.loadData() }
        language = nil

        await showExpiredToken()
        await attempt("Server error") { broken.loadData() }
        await attempt("Slow server") { slow.loadData() }
        await attempt("Cancelled") {
            if let id = slow.loadData() { slow.cancelRequest(id) }
        }
        print()
    }

    private func showExpiredToken() async {
        library.logIn(BookServer.expiredAda)
        await attempt("Old token") { books.loadData() }
        // The service has asked for a log-in and keeps further token errors from delegates. An awaited load still ends.
        do throws(APIError) {
            _ = try await books.load()
        } catch {
            report("Once more", error.type, library.isLogInNeeded ? "nothing: there is a log-in screen already" : "")
        }
        library.logIn(BookServer.ada)
    }

    private func attempt(_ name: String, _ start: () -> Void) async {
        attempt = name
        await end.wait(for: start)
    }

    private func report(_ name: String, _ type: APIErrorType, _ message: String) {
        print(table.row(name, Self.kind(type), message))
    }

    /// The name of the kind, without the status and body of a server error.
    private static func kind(_ type: APIErrorType) -> String {
        if case .serverError = type { "serverError" } else { "\(type)" }
    }
}

extension TroubleScreen: APIManagerParamSource {
    func paramsForAPI(_ manager: BaseAPIManager) -> Parameters? {
        manager === books ? ["language": language] : nil
    }
}

extension TroubleScreen: APIManagerCallbackDelegate {
    func managerCallAPISuccess(_ manager: BaseAPIManager) {
        let isCache = manager.response?.isCache == true
        report(attempt, manager.errorType, isCache ? "nothing: the books were in the cache" : "nothing: they are new")
        end.arrived()
    }

    func managerCallAPIFailed(_ manager: BaseAPIManager) {
        report(attempt, manager.errorType, manager.errorMessage)
        end.arrived()
    }
}
