import Foundation

/// The last stage but the signature before the transport: tells of every request that goes out, and puts the trace on it.
struct AttemptStage: Interceptor {
    func intercept(_ exchange: Exchange, next: Next) async throws -> HTTPResponse {
        guard let events = exchange.events else { return try await next(exchange) }
        var exchange = exchange
        let trace = events.trace?.prepare(&exchange.request)
        guard events.isHeard else { return try await next(exchange) }
        // Here and not in its own stage, so that what is told of is what goes out.
        try await exchange.request.options.signing?.sign(&exchange.request)
        exchange.request.options.signing = nil
        // What is not sent is no attempt.
        try exchange.request.validate()
        try await exchange.gate?.waitUntilOpen()
        let watch = AttemptWatch(
            events,
            Event.Attempt(
                number: events.nextAttempt(), attempt: exchange.attempt, request: exchange.request, trace: trace))
        if events.details.contains(.bytes) { exchange.progress = watch.observer(beside: exchange.progress) }
        do {
            return watch.answered(try await next(exchange))
        } catch {
            watch.failed(HTTPError(error))
            throw error
        }
    }
}
