import Foundation
import Trunkline

/// The library's backend, described once: where it is, what every request to it carries, what its failures mean.
final class LibraryService: Service {
    /// Where the development environment is; the sample puts it on a server of its own, at a port that changes.
    var developmentBaseURL = "http://localhost:8080"

    /// Says whether there is a network; nil where nobody does.
    var network: (any ReachabilityProviding)?

    /// Where unfinished downloads are kept; nil for the user's caches. Set before the first request.
    var transferDirectory: URL?

    /// Whether the reader has been asked to log in and has not done so yet.
    private(set) var isLogInNeeded = false

    private var token: String?

    /// Memory only: a sample should leave nothing on the disk. Without this the session is the default one, which
    /// caches on disk too.
    private lazy var memorySession = SessionManager(
        configuration: SessionConfiguration(transferDirectory: transferDirectory), cache: ResponseCache())

    override var session: SessionManager { memorySession }

    override var environments: [ServiceEnvironment] {
        [
            ServiceEnvironment(.production, baseURL: "https://library.example.com", apiVersion: "v1"),
            ServiceEnvironment(.development, baseURL: developmentBaseURL, apiVersion: "v1"),
        ]
    }

    // Without a network a load ends at once, and says why.
    override var isReachable: Bool { network?.path.status != .unsatisfied }

    // MARK: - What every request carries

    override func extraParams() -> Parameters { ["client": "bookshelf"] }

    // Asked for each request, so a new token is used at once.
    override func extraHTTPHeaders(for methodName: String) -> HTTPHeaders {
        token.map { [.bearer($0)] } ?? [:]
    }

    // MARK: - Readers and tokens

    func logIn(_ reader: Reader) {
        // Cached answers are kept apart by user, and one that is still on its way to another user is dropped.
        userIdentifier = reader.name
        token = reader.token
        isLogInNeeded = false
    }

    override func isTokenError(_ response: APIResponse) -> Bool { response.statusCode == 401 }

    /// An expired token fails every screen that is loading. The first failure goes through and asks the reader to log
    /// in; those after it are kept from their delegates, so that one expired token opens one log-in screen.
    override func shouldCallBackByFailedOnCallingAPI(_ error: APIError, response: APIResponse?) -> Bool {
        guard error.type == .tokenError else { return true }
        defer { isLogInNeeded = true }
        return !isLogInNeeded
    }
}
