import Foundation

extension SessionManager {
    /// Opens a WebSocket; see ``WebSocket``.
    ///
    /// Never fails at once, as ``request(_:id:interceptors:progress:)`` does not. ``Timeouts/connect`` and
    /// ``Timeouts/idle`` count up to the end of the handshake; ``Timeouts/total`` doesn't count. The cache is passed by.
    ///
    /// - Parameters:
    ///   - request: an ``Endpoint``, an ``HTTPRequest``, a `URL`, a `String` or a `URLRequest`: a GET without content, of
    ///     the scheme `ws`, `wss`, `http` or `https`.
    ///   - protocols: the subprotocols to offer, the preferred one first, before those of the options.
    ///   - options: how the socket works.
    ///   - id: the identity; by default the next one.
    ///   - interceptors: run for the handshake, after the session's.
    public func webSocket(
        _ request: some RequestConvertible, protocols: [String] = [], options: WebSocketOptions = WebSocketOptions(),
        id: RequestID = .next(), interceptors: [any Interceptor] = []
    ) -> WebSocket {
        var options = options
        options.protocols = protocols + options.protocols
        let core = WebSocketCore()
        let opening = WebSocketOpening(id: id, transport: transport, options: options)
        let handle = longRequest(
            WebSocketRequest(base: request), id: id, interceptors: interceptors, transport: opening,
            limitsTotal: { _ in false },
            prepare: { request in
                request.options.delivery = .stream
                request.options.cache = .networkOnly
                request.options.redirects = .refuse
            }
        ) { exchange, pipeline, _ in
            try await core.run(exchange, through: pipeline, opening: opening)
        }
        handle.whenEnded { core.finish($0) }
        if configuration.startsRequestsImmediately { handle.resume() }
        return WebSocket(request: handle, core: core)
    }
}
