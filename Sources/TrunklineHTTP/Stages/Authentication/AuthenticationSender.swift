/// Sends requests of an authentication's own, a refresh for example, through the stages after the authentication: retry,
/// limits, redirects, transport. The authentication is not on that way, so a refresh can't wait for itself.
public struct AuthenticationSender: Sendable {
    private let next: Next
    private let headers: HTTPHeaders
    private let timeouts: Timeouts
    /// Tells of the request that needs the credential.
    let events: EventReporter?
    private let observation: EventObservation?

    init(
        next: Next, headers: HTTPHeaders, timeouts: Timeouts, events: EventReporter? = nil,
        observation: EventObservation? = nil
    ) {
        self.next = next
        self.headers = headers
        self.timeouts = timeouts
        self.events = events
        self.observation = observation
    }

    /// Sends a request, with the session's header fields under its own and no credential but what it brings, and waits
    /// for its answer.
    ///
    /// The idle and connect limits are the request's own or those of the request that needs the credential; its total
    /// limit is not applied.
    ///
    /// - Parameter request: an ``Endpoint``, an ``HTTPRequest``, a `URL`, a `String` or a `URLRequest`.
    /// - Throws: the ``HTTPError`` the request ended with; ``HTTPError/validation(_:)`` for a status outside 200 to 299,
    ///   or what the request's own ``RequestOptions/validation`` refuses.
    public func send(_ request: some RequestConvertible) async throws(HTTPError) -> HTTPResponse {
        var request = try request.makeRequest()
        if !headers.isEmpty { request.headers = headers.merging(request.headers) }
        request.applyBodyContentType()
        var exchange = Exchange(request: request, timeouts: request.options.timeouts ?? timeouts)
        // A request of its own, with events of its own.
        exchange.events = observation?.reporter(for: exchange.id, request)
        do {
            let response = try await next(exchange)
            try (request.options.validation ?? .success).validate(response)
            exchange.events?.complete(.success(response))
            return response
        } catch {
            let failure = HTTPError(error)
            exchange.events?.complete(.failure(failure))
            throw failure
        }
    }
}
