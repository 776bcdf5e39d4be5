import Foundation

/// Sends requests through one pipeline and one transport: the `Session` of other libraries, usable alone or under the
/// services and API managers.
///
///     let books = try await SessionManager.default
///         .request(.get("https://example.com/books", parameters: ["page": 1]))
///         .value(of: BookList.self)
///
/// Keep a session for as long as its requests matter: when the last reference goes, every request in flight ends with
/// ``HTTPError/sessionInvalidated``. ``default`` lives for ever.
///
/// All members may be used from any thread.
public final class SessionManager: Sendable {
    /// The process-wide session with the default configuration.
    public static let `default` = SessionManager()

    /// The settings the session was made with.
    public let configuration: SessionConfiguration
    /// The door to the network.
    public let transport: any Transport
    /// The cache behind the ``CachePolicy`` of requests.
    public let cache: ResponseCache

    let interceptors: [any Interceptor]
    /// The pipeline of requests that bring no interceptors of their own and need no other stages.
    private let pipeline: Next
    let active = ActiveRequests()
    let retryBudgets = RetryBudgets()
    /// The stages that share something between requests, made once.
    let load: LoadStages
    /// Who watches the requests, if anybody.
    let observation: EventObservation?

    /// Makes a session.
    ///
    /// - Parameters:
    ///   - configuration: the settings.
    ///   - transport: the door to the network, owned by the session from now on and invalidated with it; by default
    ///     the platform's.
    ///   - cache: the response cache; by default the shared one.
    ///   - interceptors: run for every request, before the request's own, in this order.
    public init(
        configuration: SessionConfiguration = SessionConfiguration(), transport: (any Transport)? = nil,
        cache: ResponseCache = .shared, interceptors: [any Interceptor] = []
    ) {
        let transport = transport ?? DefaultTransport.make()
        self.configuration = configuration
        self.transport = transport
        self.cache = cache
        self.interceptors = interceptors
        load = LoadStages(configuration)
        observation = EventObservation(configuration)
        pipeline = Pipeline.next(
            configuration: configuration, cache: cache, interceptors: interceptors, transport: transport,
            retryBudgets: retryBudgets, load: load)
    }

    deinit { invalidate() }

    /// Makes a request and, unless the configuration says otherwise, sends it.
    ///
    /// Never fails at once: a description that can't be resolved ends the request with its error, as does a session
    /// that was invalidated.
    ///
    /// - Parameters:
    ///   - request: an ``Endpoint``, an ``HTTPRequest``, a `URL`, a `String` or a `URLRequest`.
    ///   - id: the identity; by default the next one.
    ///   - interceptors: run for this request only, after the session's.
    ///   - progress: hears how far both bodies are, on a thread of the transport; not called after the end.
    @discardableResult
    public func request(
        _ request: some RequestConvertible, id: RequestID = .next(), interceptors: [any Interceptor] = [],
        progress: ProgressObserver? = nil
    ) -> DataRequest {
        let handle = handle(for: request, id: id, interceptors: interceptors, progress: progress)
        if configuration.startsRequestsImmediately { handle.resume() }
        return handle
    }

    /// Sends a request and waits for its response: ``request(_:id:interceptors:progress:)``, whatever the configuration says of
    /// starting, and ``DataRequest/response()`` in one.
    ///
    /// Without interceptors of the app's, what needs no wait, such as an answer from the memory of the cache, is done on the
    /// thread of the calling task.
    public func send(
        _ request: some RequestConvertible, interceptors: [any Interceptor] = []
    ) async throws(HTTPError) -> HTTPResponse {
        try await send(request, id: .next(), interceptors: interceptors, progress: nil)
    }

    func send(
        _ request: some RequestConvertible, id: RequestID, interceptors: [any Interceptor],
        progress: ProgressObserver?
    ) async throws(HTTPError) -> HTTPResponse {
        try await handle(for: request, id: id, interceptors: interceptors, progress: progress)
            .send(here: interceptors.isEmpty && self.interceptors.isEmpty)
    }

    /// The request as the pipeline will see it: resolved, with the session's headers under its own.
    ///
    /// - Throws: ``HTTPError/invalidRequest(_:)`` and what a custom description or encoder throws.
    public func resolve(_ request: some RequestConvertible) throws(HTTPError) -> HTTPRequest {
        var resolved = try request.makeRequest()
        if !configuration.headers.isEmpty { resolved.headers = configuration.headers.merging(resolved.headers) }
        resolved.applyBodyContentType()
        try resolved.markValidated()
        return resolved
    }

    // MARK: - In flight

    /// The requests that have not ended, oldest first. Streams, event streams and WebSockets are among them, by their
    /// identities, until their own end.
    public var activeRequests: [DataRequest] { active.all }

    /// Cancels the request with this identity, if it is in flight.
    public func cancel(_ id: RequestID) { active.request(id)?.cancel() }

    /// Cancels every request in flight.
    public func cancelAll() { active.all.forEach { $0.cancel() } }

    /// Cancels the requests in flight that carry the tag.
    public func cancelAll(tagged tag: String) {
        for request in active.all where request.tags.contains(tag) { request.cancel() }
    }

    /// Ends every request in flight with ``HTTPError/sessionInvalidated`` and refuses later ones with the same.
    public func invalidate() {
        for request in active.close() { request.end(.failure(.sessionInvalidated)) }
        load.cacheFlights.close()
        transport.invalidate()
    }

    // MARK: - Making handles

    /// A request that has not been sent: the description that can't be resolved ends it when it is.
    private func handle(
        for request: some RequestConvertible, id: RequestID, interceptors: [any Interceptor],
        progress: ProgressObserver?
    ) -> DataRequest {
        do {
            return make(try resolve(request), id: id, interceptors: interceptors, progress: progress)
        } catch {
            return refused(id: id, error)
        }
    }

    /// - Parameter transfer: what a download or an upload adds.
    func make(
        _ request: HTTPRequest, id: RequestID, interceptors: [any Interceptor], progress: ProgressObserver?,
        transfer: (any TransferWork)? = nil
    ) -> DataRequest {
        let timeouts = request.options.timeouts ?? configuration.timeouts
        let stage = transfer?.attemptStage
        let pipeline =
            interceptors.isEmpty && stage == nil && !Pipeline.asksForStages(request.options)
            ? self.pipeline
            : Pipeline.next(
                configuration: configuration, options: request.options, cache: cache,
                interceptors: self.interceptors + interceptors, transport: transport, retryBudgets: retryBudgets,
                transfer: stage, load: load)
        let validation = request.options.validation ?? configuration.validation
        var request = request
        let transfer = transfer ?? DownloadPlacement(&request)
        // Captures the parts and not the session: a request in flight must not keep its session alive.
        let handle = DataRequest(
            id: id, request: request, totalTimeout: timeouts.total,
            work: { [request] handle in
                var exchange = Exchange(
                    id: id, request: request, timeouts: timeouts,
                    progress: handle.observer(beside: progress), gate: handle.gate)
                exchange.timer = handle.timer
                exchange.events = handle.events
                if let transfer {
                    return try await transfer.run(exchange, pipeline: pipeline, validation: validation)
                }
                let response = try await pipeline(exchange)
                try validation.validate(response)
                return response
            },
            onEnd: { [active] in
                transfer?.requestEnded()
                active.remove($0)
            },
            events: observation?.reporter(for: id, request))
        if !active.insert(handle) { handle.end(.failure(.sessionInvalidated)) }
        return handle
    }

    func refused(id: RequestID, _ error: HTTPError) -> DataRequest {
        let handle = DataRequest(
            id: id, request: nil, totalTimeout: nil, work: { _ in throw error },
            onEnd: { [active] in active.remove($0) }, events: observation?.reporter(for: id, nil))
        if !active.insert(handle) { handle.end(.failure(.sessionInvalidated)) }
        return handle
    }
}
