import Trunkline

/// The app's own base of all endpoints that answer once: they add a method name and are done.
class LibraryBaseAPI: BaseAPIManager, LibraryRules {
    override init() {
        super.init()
        // Both are weak, so this is no cycle.
        validator = self
        interceptor = self
    }

    func serviceIdentifier() -> ServiceIdentifier { .library }
}
