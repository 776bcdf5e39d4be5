import Foundation

/// The last stage before the transport: tells of every request that goes out, as it goes out.
struct AttemptStage: Interceptor {
    func intercept(_ exchange: Exchange, next: Next) async throws -> HTTPResponse {
        guard let events = exchange.events, events.isHeard else { return try await next(exchange) }
        var exchange = exchange
        // What is not sent is no attempt.
        try exchange.request.validate()
        try await exchange.gate?.waitUntilOpen()
        let watch = AttemptWatch(
            events,
            Event.Attempt(
                number: events.nextAttempt(), attempt: exchange.attempt, request: exchange.request,
                trace: exchange.trace?.value))
        if events.details.contains(.bytes) { exchange.progress = watch.observer(beside: exchange.progress) }
        do {
            return watch.answered(try await next(exchange))
        } catch {
            watch.failed(HTTPError(error))
            throw error
        }
    }
}
