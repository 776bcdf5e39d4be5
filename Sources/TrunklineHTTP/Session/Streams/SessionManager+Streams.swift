import Foundation

extension SessionManager {
    /// Makes a request whose response is read while it arrives and, unless the configuration says otherwise, sends it.
    ///
    /// ```swift
    /// for try await line in session.stream(.get(url)).lines { print(line) }
    /// ```
    ///
    /// Never fails at once, as ``request(_:id:interceptors:progress:)`` does not. Where the request's
    /// ``CachePolicy`` allows it, a stored answer is streamed from the store, and what arrives is stored while it is read.
    ///
    /// - Parameters:
    ///   - request: an ``Endpoint``, an ``HTTPRequest``, a `URL`, a `String` or a `URLRequest`. Its
    ///     ``RequestOptions/delivery`` is of no account.
    ///   - id: the identity; by default the next one.
    ///   - interceptors: run for this request only, after the session's.
    ///   - progress: hears how far both bodies are, on a thread of the transport; not called after the end.
    public func stream(
        _ request: some RequestConvertible, id: RequestID = .next(), interceptors: [any Interceptor] = [],
        progress: ProgressObserver? = nil
    ) -> StreamRequest {
        let body = StreamBody()
        let handle = longRequest(
            request, id: id, interceptors: interceptors, progress: progress,
            prepare: { $0.options.delivery = .stream }
        ) { exchange, pipeline, validation in
            let response = try await pipeline(exchange)
            do {
                try validation.validate(response)
            } catch HTTPError.validation(var failure) {
                failure.response = await RefusedContent.attached(to: response)
                throw HTTPError.validation(failure)
            }
            return try await body.deliver(response, gate: exchange.gate)
        }
        handle.whenEnded { body.finish($0) }
        if configuration.startsRequestsImmediately { handle.resume() }
        return StreamRequest(request: handle, body: body)
    }

    /// A handle for work that is longer than one response: a stream, an event source, a socket. In the session's book
    /// like every other, but not sent yet.
    ///
    /// - Parameters:
    ///   - transport: in place of the session's.
    ///   - limitsTotal: whether ``Timeouts/total`` counts.
    ///   - prepare: changes the resolved request.
    ///   - work: does the work, called once: with the exchange, the pipeline to send it, and the rule of success.
    func longRequest(
        _ request: some RequestConvertible, id: RequestID, interceptors: [any Interceptor],
        progress: ProgressObserver? = nil, transport: (any Transport)? = nil,
        limitsTotal: (HTTPRequest) -> Bool = { _ in true },
        prepare: (inout HTTPRequest) -> Void,
        work: @escaping @Sendable (Exchange, Next, ResponseValidation) async throws -> HTTPResponse
    ) -> DataRequest {
        let resolved: HTTPRequest
        do {
            var request = try resolve(request)
            prepare(&request)
            resolved = request
        } catch {
            return refused(id: id, error)
        }
        let timeouts = resolved.options.timeouts ?? configuration.timeouts
        let validation = resolved.options.validation ?? configuration.validation
        let pipeline = Pipeline.next(
            configuration: configuration, options: resolved.options, cache: cache,
            interceptors: self.interceptors + interceptors, transport: transport ?? self.transport,
            retryBudgets: retryBudgets, load: load)
        // Captures the parts and not the session: a request in flight must not keep its session alive.
        let handle = DataRequest(
            id: id, request: resolved, totalTimeout: limitsTotal(resolved) ? timeouts.total : nil,
            work: { handle in
                var exchange = Exchange(
                    id: id, request: resolved, timeouts: timeouts,
                    progress: handle.observer(beside: progress), gate: handle.gate)
                exchange.timer = handle.timer
                exchange.events = handle.events
                return try await work(exchange, pipeline, validation)
            },
            onEnd: { [active] in active.remove($0) }, events: observation?.reporter(for: id, resolved))
        if !active.insert(handle) { handle.end(.failure(.sessionInvalidated)) }
        return handle
    }
}
