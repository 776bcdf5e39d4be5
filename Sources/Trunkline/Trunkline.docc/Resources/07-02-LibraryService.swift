import Trunkline

/// The library's backend, described once.
final class LibraryService: Service {
    /// Where the development environment is; tests put it on a server of their own.
    var developmentBaseURL = "http://localhost:8080"
    private var token: String?
    private let ownSession = SessionManager(cache: ResponseCache())

    override var session: SessionManager { ownSession }

    override var environments: [ServiceEnvironment] {
        [
            ServiceEnvironment(.production, baseURL: "https://library.example.com", apiVersion: "v1"),
            ServiceEnvironment(.development, baseURL: developmentBaseURL, apiVersion: "v1"),
        ]
    }

    // Asked for each request, so a new token is used at once.
    override func extraHTTPHeaders(for methodName: String) -> HTTPHeaders {
        token.map { [.bearer($0)] } ?? [:]
    }

    // A load that is refused with 401 ends with `.tokenError`, and not with `.serverError`.
    override func isTokenError(_ response: APIResponse) -> Bool { response.statusCode == 401 }

    func logIn(_ reader: String, token: String) {
        // Cached answers are kept apart by user.
        userIdentifier = reader
        self.token = token
        // What failed for want of a log-in is loaded again.
        resumeAfterLogin()
    }
}
