/// Lets a request wait for its token. Inside the ``LimitsStage``: among those that wait there, the priority decides, and
/// no token goes stale while its request waits for a place.
struct RateLimitStage: Interceptor {
    let limiter: RateLimiter

    func intercept(_ exchange: Exchange, next: Next) async throws -> HTTPResponse {
        try await limiter.take(Origin(exchange.request.url), timer: exchange.timer, events: exchange.events)
        return try await next(exchange)
    }
}
