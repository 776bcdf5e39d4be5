/// Stage 6: sends a failed request again where the policy, the method and the body allow it.
struct RetryStage: Interceptor {
    let defaultPolicy: RetryPolicy
    /// A number in 0..<1 that spreads the waits of many clients; injected for tests.
    var jitter: @Sendable () -> Double = { .random(in: 0..<1) }
    /// Waits; injected for tests. Throws when the request is cancelled meanwhile.
    var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

    func intercept(_ exchange: Exchange, next: Next) async throws -> HTTPResponse {
        let policy = exchange.request.options.retry ?? defaultPolicy
        guard policy.limit > 0 else { return try await next(exchange) }
        var exchange = exchange
        var retries = 0
        while true {
            let outcome: Result<HTTPResponse, any Error>
            do {
                var response = try await next(exchange)
                if retries > 0 { response.editMetrics { $0.retryCount = retries } }
                outcome = .success(response)
            } catch {
                outcome = .failure(error)
            }
            // Cancel is terminal: it wins over every decision to send again.
            if Task.isCancelled { throw HTTPError.cancelled }
            guard
                let delay = RetryDecision.delay(
                    after: outcome, request: exchange.request, policy: policy, retries: retries, jitter: jitter())
            else { return try outcome.get() }
            try await sleep(delay)
            retries += 1
            exchange.attempt += 1
        }
    }
}
