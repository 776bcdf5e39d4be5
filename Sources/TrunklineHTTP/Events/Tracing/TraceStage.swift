/// Begins the span of each request that goes out and puts it on it, before the signature, which is over what is sent.
struct TraceStage: Interceptor {
    func intercept(_ exchange: Exchange, next: Next) async throws -> HTTPResponse {
        var exchange = exchange
        exchange.trace = exchange.events?.trace?.prepare(&exchange.request).map { Box($0) }
        return try await next(exchange)
    }
}
