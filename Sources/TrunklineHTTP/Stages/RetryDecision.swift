import Foundation

/// Whether a failed attempt is made again, and after how long: a pure function of what is known.
enum RetryDecision {
    /// Statuses that say "later": 408, 425, 429 and the 5xx a server or gateway recovers from.
    static let retryableStatuses: Set<Int> = [408, 425, 429, 500, 502, 503, 504]

    /// The wait before the next attempt, or nil to let the outcome stand.
    ///
    /// - Parameters:
    ///   - retries: the retries made so far.
    ///   - jitter: 0..<1; scales the backoff between none and all of it ("full jitter").
    static func delay(
        after outcome: Result<HTTPResponse, any Error>, request: HTTPRequest, policy: RetryPolicy, retries: Int,
        jitter: Double, now: Date = Date()
    ) -> Duration? {
        guard retries < policy.limit, request.method.isIdempotent || policy.allowsNonIdempotent else { return nil }
        if let body = request.body, !body.isReplayable { return nil }
        switch outcome {
        case .success(let response):
            guard retryableStatuses.contains(response.statusCode) else { return nil }
            return wait(
                backoff(policy, retries: retries, jitter: jitter),
                atLeast: RetryAfter.parse(response.headers["Retry-After"], now: now), policy)
        case .failure(let error):
            guard isRetryable(error) else { return nil }
            return wait(backoff(policy, retries: retries, jitter: jitter), atLeast: nil, policy)
        }
    }

    /// Transport failures that another attempt may mend. Never TLS, validation or an app's own error.
    static func isRetryable(_ error: any Error) -> Bool {
        switch error as? HTTPError {
        case .connectionLost, .connectionFailed, .nameResolution, .timedOut(.connect), .timedOut(.idle): true
        default: false
        }
    }

    private static func backoff(_ policy: RetryPolicy, retries: Int, jitter: Double) -> Duration {
        // 2^20 base delays is past every sensible maximum; the bound keeps the multiplication from overflowing.
        policy.baseDelay * (Double(1 << min(retries, 20)) * jitter)
    }

    private static func wait(_ backoff: Duration, atLeast floor: Duration?, _ policy: RetryPolicy) -> Duration {
        min(max(backoff, floor ?? .zero), policy.maximumDelay)
    }
}
