/// What the compiler demands of an endpoint: declare it on every ``BaseAPIManager`` subclass that is one.
@MainActor
public protocol APIManagerProtocol: BaseAPIManager {
    /// The endpoint's path below the service's base URL; may hold `{name}` places that parameters fill.
    func methodName() -> String

    /// The service the endpoint belongs to.
    func serviceIdentifier() -> ServiceIdentifier
}
