/// Sends requests of an authentication's own, a refresh for example, through the stages after the authentication: retry,
/// limits, redirects, transport. The authentication is not on that way, so a refresh can't wait for itself.
public struct AuthenticationSender: Sendable {
    private let next: Next
    private let headers: HTTPHeaders
    private let timeouts: Timeouts

    init(next: Next, headers: HTTPHeaders, timeouts: Timeouts) {
        self.next = next
        self.headers = headers
        self.timeouts = timeouts
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
        let response: HTTPResponse
        do {
            response = try await next(
                Exchange(request: request, timeouts: request.options.timeouts ?? timeouts))
        } catch {
            throw HTTPError(error)
        }
        try (request.options.validation ?? .success).validate(response)
        return response
    }
}
