/// A stage around the rest of the pipeline: it may change the request, answer by itself, look at or replace the
/// response, or call `next` again.
///
/// Called off the main actor, once for each exchange that reaches it. Throwing ends the request with that error
/// (``HTTPError`` as it is, anything else as ``HTTPError/custom(_:)``); the request's own cancellation arrives as task
/// cancellation.
public protocol Interceptor: Sendable {
    /// Handles the exchange, usually by calling `next` once.
    func intercept(_ exchange: Exchange, next: Next) async throws -> HTTPResponse
}
