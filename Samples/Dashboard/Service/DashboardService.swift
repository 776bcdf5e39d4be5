import Trunkline

/// The dashboard's backend. For what else a service may say see `LibraryService` of the BookShelf sample.
final class DashboardService: Service {
    /// Where the development environment is; the sample puts it on a server of its own, at a port that changes.
    var developmentBaseURL = "http://localhost:8080"

    /// Memory only: a sample should leave nothing on the disk.
    private let memorySession = SessionManager(cache: ResponseCache())

    override var session: SessionManager { memorySession }

    override var environments: [ServiceEnvironment] {
        [
            ServiceEnvironment(.production, baseURL: "https://dashboard.example.com", apiVersion: "v1"),
            ServiceEnvironment(.development, baseURL: developmentBaseURL, apiVersion: "v1"),
        ]
    }
}
