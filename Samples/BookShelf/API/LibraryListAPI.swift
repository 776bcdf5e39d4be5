import Trunkline

/// The app's own base of all lists that come page by page.
class LibraryListAPI: PagingAPIManager, LibraryRules {
    override init() {
        super.init()
        // Both are weak, so this is no cycle.
        validator = self
        interceptor = self
    }

    func serviceIdentifier() -> ServiceIdentifier { .library }

    /// Every list of the library says how long it is.
    override var totalCountKeyPath: String? { "total" }
}
