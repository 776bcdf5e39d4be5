import Trunkline

/// The library's backend, described once.
final class LibraryService: Service {
    override var environments: [ServiceEnvironment] {
        [ServiceEnvironment(.production, baseURL: "https://library.example.com", apiVersion: "v1")]
    }
}
