import Foundation

/// Gives a request whose method is not idempotent its idempotency key, where the retry policy names a field for it. It
/// stands before the stages that send again, so that one logical request has one key, in retries and token replays too.
struct IdempotencyKeyStage: Interceptor {
    let defaultPolicy: RetryPolicy
    /// Makes a key.
    var makeKey: @Sendable () -> String = { UUID().uuidString }

    func intercept(_ exchange: Exchange, next: Next) async throws -> HTTPResponse {
        guard let field = (exchange.request.options.retry ?? defaultPolicy).idempotencyKeyField,
            !exchange.request.method.isIdempotent
        else { return try await next(exchange) }
        var exchange = exchange
        exchange.request.headers.setDefault(field, makeKey())
        return try await next(exchange)
    }
}
