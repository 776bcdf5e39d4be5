/// A backend: where it is, what every request to it carries, and what its failures mean. Subclass it once for each
/// backend and register the subclass with ``ServiceFactory``.
///
/// ```swift
/// final class LibraryService: Service {
///     override var environments: [ServiceEnvironment] {
///         [
///             ServiceEnvironment(.production, baseURL: "https://api.example.com", apiVersion: "v2"),
///             ServiceEnvironment(.development, baseURL: "https://dev.example.com", apiVersion: "v2"),
///         ]
///     }
/// }
/// ```
///
/// Everything is asked again for each request, so tokens, parameters and the environment may change at any time;
/// requests in flight keep what they were made with. All members belong to the main actor; interceptors run off it.
@MainActor
open class Service {
    /// The identifier the service was registered under; set by the factory before the first use.
    public internal(set) var identifier: ServiceIdentifier = "unregistered"

    /// The environment in use; by default production. May be switched at any time, for requests made from then on.
    public var environmentName: ServiceEnvironment.Name = .production

    /// Whose data this is, or nil while nobody is logged in. Cached answers are kept apart by user, and an answer that
    /// arrives after the user has changed ends its load with `.cancelled` and is not stored.
    public var userIdentifier: String?

    /// Hears of loads that failed for want of a log-in, after their delegates; see ``events`` for the same as a sequence.
    public var onEvent: (@MainActor (ServiceEvent) -> Void)?

    var rules: [(pattern: PathPattern, rule: RequestRule)] = []
    var loginQueue = LoginQueue()
    nonisolated let eventHub = Broadcast<ServiceEvent>(.bufferingNewest(64))

    /// Makes the service; called by the factory at its first use.
    public required init() {}

    deinit { eventHub.finish() }

    // MARK: - Where

    /// The environments the service runs in; by default none. Override it.
    open var environments: [ServiceEnvironment] { [] }

    /// The environment in use.
    ///
    /// - Throws: ``ServiceError/unknownEnvironment(_:_:known:)`` when ``environments`` has none of that name.
    public final func environment() throws(ServiceError) -> ServiceEnvironment {
        let all = environments
        guard let environment = all.first(where: { $0.name == environmentName }) else {
            throw .unknownEnvironment(environmentName, identifier, known: all.map(\.name))
        }
        return environment
    }

    /// Switches to an environment, for requests made from now on.
    ///
    /// - Throws: ``ServiceError/unknownEnvironment(_:_:known:)``, and the environment stays, when there is none of that name.
    public final func selectEnvironment(_ name: ServiceEnvironment.Name) throws(ServiceError) {
        let previous = environmentName
        environmentName = name
        do {
            _ = try environment()
        } catch {
            environmentName = previous
            throw error
        }
    }

    /// Whether ``environmentName`` is production; setting it switches between production and development.
    public final var isProductionEnvironment: Bool {
        get { environmentName == .production }
        set { environmentName = newValue ? .production : .development }
    }

    /// The URL of an endpoint: by default base, version and method joined by single slashes, without the version where
    /// it is empty. A `{name}` in the method is filled from the parameters afterwards.
    ///
    /// - Parameter methodName: what the manager's `methodName()` gave.
    /// - Throws: whatever makes the URL impossible; it ends the load.
    open func urlGeneratingRule(_ methodName: String) throws -> String {
        let environment = try environment()
        return try URLJoining.join(
            base: environment.baseURL, version: environment.apiVersion, path: methodName)
    }

    // MARK: - What every request carries

    /// Parameters of every request; they win over the manager's of the same name. By default none.
    open func extraParams() -> Parameters { [:] }

    /// Header fields of a request; a manager's own fields win over them. By default none.
    ///
    /// - Parameter methodName: what the manager's `methodName()` gave.
    open func extraHTTPHeaders(for methodName: String) -> HTTPHeaders { [:] }

    /// Stages of the pipeline for every request of the service, outermost first. By default none.
    open var interceptors: [any Interceptor] { [] }

    /// Whose credential the requests get; by default the session's. Asked for each load, so a service with one
    /// authentication for each environment keeps their tokens apart, and loads in flight keep theirs.
    open var authentication: RequestAuthentication { .inherit }

    /// Signs the requests each time they go out, last before the transport; by default nothing does.
    open var signing: RequestSigning? { nil }

    /// The session that sends the requests; by default `SessionManager.default`.
    open var session: SessionManager { .default }

    /// The time limits of a request; by default 15 s of silence, 10 s to connect.
    open var timeouts: Timeouts { Timeouts(idle: .seconds(15)) }

    /// How long a manager's cached answer is fresh unless the manager says otherwise; by default 10 s.
    open var cacheLifetime: Duration { .seconds(10) }

    /// What the session's response cache may do for the requests of this service; by default nil: what the session says
    /// (`SessionConfiguration.cachePolicy`). `CachePolicy.standard` turns on HTTP caching.
    open var cachePolicy: CachePolicy? { nil }

    /// Whether requests can be sent at all; by default true. A manager asks before it sends, and `false` ends the load
    /// with `.noNetwork`.
    open var isReachable: Bool { true }

    // MARK: - What failures mean

    /// Whether the delegate hears of a failure; `false` when the service deals with it, by showing a log-in screen say.
    /// By default true.
    ///
    /// - Parameters:
    ///   - error: what went wrong.
    ///   - response: the answer, where there was one.
    open func shouldCallBackByFailedOnCallingAPI(_ error: APIError, response: APIResponse?) -> Bool { true }

    /// Whether the failed answer says that the token is invalid: the load then ends with `.tokenError`. By default false.
    open func isTokenError(_ response: APIResponse) -> Bool { false }

    /// Whether the failed answer says that the user has to log in: the load then ends with `.needLogin`. By default false.
    open func isLoginRequired(_ response: APIResponse) -> Bool { false }

    /// What the answers are wrapped in; by default nothing.
    open var responseEnvelope: ResponseEnvelope? { nil }

    // MARK: - Cache

    /// What separates this service's cached answers from all others: user and environment.
    public final var cachePartition: CachePartition {
        CachePartition(user: userIdentifier, environment: "\(identifier)/\(environmentName)")
    }

    /// Removes the cached answers of the current user and environment. An answer still in flight is not stored.
    public final func clearCache() async {
        await session.cache.clear(partition: cachePartition)
    }
}
