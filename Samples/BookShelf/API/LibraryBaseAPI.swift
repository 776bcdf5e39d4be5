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

    // The library's statuses mean what HTTP says, so the validator need not judge those of failures.
    override func validatedStatusCodes() -> Range<Int> { 200..<300 }

    func check(_ params: Parameters) -> APIValidation { .valid }
}
