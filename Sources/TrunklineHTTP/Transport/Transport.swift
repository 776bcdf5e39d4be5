/// The only door to the network: sends one request, returns one response.
///
/// A transport follows no redirects, answers no authentication challenges, caches nothing and retries nothing: the
/// stages do. It doesn't judge the status. It decodes content codings it has announced, and it applies
/// ``Exchange/timeouts`` `connect` and `idle` (the session keeps `total`).
///
/// - Cancelling the task that calls ``send(_:)`` ends it at once with ``HTTPError/cancelled`` and closes or resets what
///   was open for it.
/// - A body that ends early is ``HTTPError/connectionLost(_:)``, never a response.
/// - Every error is an ``HTTPError``.
public protocol Transport: Sendable {
    /// What the transport is and can do.
    var capabilities: TransportCapabilities { get }

    /// Sends the request and returns the response, its body delivered as ``RequestOptions/delivery`` asks.
    func send(_ exchange: Exchange) async throws -> HTTPResponse

    /// Opens a WebSocket (RFC 6455) with the exchange's request, a GET: URL with the scheme http or https, header fields,
    /// timeouts for the connection and the handshake. Follows no redirects and doesn't judge a refusal, as ``send(_:)``.
    ///
    /// - Throws: ``HTTPError/unsupported(feature:platform:)`` by default, and what ``send(_:)`` throws. Cancelling the task
    ///   ends it at once.
    func openWebSocket(_ exchange: Exchange, options: WebSocketOptions) async throws -> WebSocketAnswer

    /// Ends every exchange in flight with ``HTTPError/sessionInvalidated`` and refuses later ones with the same. May be
    /// called more than once.
    func invalidate()
}
