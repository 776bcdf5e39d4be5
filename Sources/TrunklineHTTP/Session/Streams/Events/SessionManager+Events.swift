import Foundation

extension SessionManager {
    /// Opens a stream of Server-Sent Events; see ``EventStream``.
    ///
    /// Never fails at once, as ``request(_:id:interceptors:progress:)`` does not. ``Timeouts/total`` counts only where the
    /// stream is not connected anew; ``Timeouts/idle`` counts until the head of a response is there, and
    /// ``EventStreamOptions/idleLimit`` from then on.
    ///
    /// - Parameters:
    ///   - request: an ``Endpoint``, an ``HTTPRequest``, a `URL`, a `String` or a `URLRequest`.
    ///   - options: how it connects and reconnects.
    ///   - id: the identity; by default the next one.
    ///   - interceptors: run for every connection, after the session's.
    public func events(
        _ request: some RequestConvertible, options: EventStreamOptions = EventStreamOptions(),
        id: RequestID = .next(), interceptors: [any Interceptor] = []
    ) -> EventStream {
        let core = EventStreamCore(options: options)
        let handle = longRequest(
            request, id: id, interceptors: interceptors, limitsTotal: { !options.reconnects($0.method) },
            prepare: { request in
                request.options.delivery = .stream
                // Has no end, and says what happens now.
                request.options.cache = .networkOnly
                request.headers.setDefault("Accept", "text/event-stream")
                request.headers.setDefault("Cache-Control", "no-cache")
            }
        ) { exchange, pipeline, _ in
            try await core.run(exchange, through: pipeline)
        }
        handle.whenEnded { core.finish($0) }
        if configuration.startsRequestsImmediately { handle.resume() }
        return EventStream(request: handle, core: core)
    }
}
