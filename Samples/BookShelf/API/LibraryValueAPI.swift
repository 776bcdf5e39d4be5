import Trunkline

/// The app's own base of all endpoints that know what they answer with: `value` is a `Model`, decoded off the main actor.
class LibraryValueAPI<Model: Decodable & Sendable>: TypedAPIManager<Model, ServerMessage>, LibraryRules {
    override init() {
        super.init()
        // Both are weak, so this is no cycle.
        validator = self
        interceptor = self
    }

    func serviceIdentifier() -> ServiceIdentifier { .library }
}
