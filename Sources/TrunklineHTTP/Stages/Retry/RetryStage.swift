import Foundation

/// Stage 6: sends a failed request again where the policy, the method, the body and the host's budget allow it.
struct RetryStage: Interceptor {
    let defaultPolicy: RetryPolicy
    /// The buckets of the session's hosts.
    var budgets = RetryBudgets()
    /// Waits, and measures the time for the deadline.
    var clock: any Clock<Duration> = ContinuousClock()
    /// The wall clock, for dates in `Retry-After`.
    var now: @Sendable () -> Date = { Date() }
    /// A number in 0..<1 that spreads the waits of many clients.
    var jitter: @Sendable () -> Double = { .random(in: 0..<1) }

    func intercept(_ exchange: Exchange, next: Next) async throws -> HTTPResponse {
        let policy = exchange.request.options.retry ?? defaultPolicy
        guard policy.limit > 0 else { return try await next(exchange) }
        let host = Origin(exchange.request.url)
        if let budget = policy.budget { budgets.noteRequest(to: host, budget) }
        let clock = clock
        let uptime = RetryBudgets.uptime(of: clock)
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
                    after: outcome, request: exchange.request, policy: policy, retries: retries, elapsed: uptime(),
                    jitter: jitter(), now: now()),
                policy.budget.map({ budgets.takeRetry(of: host, $0) }) ?? true
            else { return try outcome.get() }
            exchange.events?.send(
                .retryScheduled(Event.Retry(reason: .init(outcome), delay: delay, attempt: exchange.attempt + 1)))
            if delay > .zero { try await clock.sleep(for: delay) }
            if Task.isCancelled { throw HTTPError.cancelled }
            // The credential may be due by now, or be refreshed right now.
            try await exchange.credentials?.attempt.prepare()
            retries += 1
            exchange.attempt += 1
        }
    }
}
