import Foundation

/// Whether a failed attempt is made again, and after how long: a pure function of what is known.
enum RetryDecision {
    /// The wait before the next attempt, or nil to let the outcome stand. The budget is not asked here.
    ///
    /// - Parameters:
    ///   - retries: the retries made so far.
    ///   - elapsed: the time since the first attempt began.
    ///   - jitter: 0..<1; scales the backoff between none and all of it ("full jitter").
    static func delay(
        after outcome: Result<HTTPResponse, any Error>, request: HTTPRequest, policy: RetryPolicy, retries: Int,
        elapsed: Duration = .zero, jitter: Double, now: Date = Date()
    ) -> Duration? {
        guard retries < policy.limit, maySendAgain(request, policy) else { return nil }
        var floor: Duration?
        switch outcome {
        case .success(let response):
            guard policy.statuses.contains(response.statusCode) else { return nil }
            floor = RetryAfter.parse(response.headers["Retry-After"], now: now)
        case .failure(let error):
            guard isRetryable(error) else { return nil }
        }
        let wait = min(max(backoff(policy, retries: retries, jitter: jitter), floor ?? .zero), policy.maximumDelay)
        if let deadline = policy.totalDeadline, elapsed + wait > deadline { return nil }
        return wait
    }

    /// Transport failures that another attempt may mend. Never TLS, validation or an app's own error.
    static func isRetryable(_ error: any Error) -> Bool {
        switch error as? HTTPError {
        case .connectionLost, .connectionFailed, .nameResolution, .timedOut(.connect), .timedOut(.idle): true
        default: false
        }
    }

    private static func maySendAgain(_ request: HTTPRequest, _ policy: RetryPolicy) -> Bool {
        if let body = request.body, !body.isReplayable { return false }
        if request.method.isIdempotent || policy.allowsNonIdempotent { return true }
        return policy.idempotencyKeyField.map { request.headers.contains($0) } ?? false
    }

    private static func backoff(_ policy: RetryPolicy, retries: Int, jitter: Double) -> Duration {
        // 2^20 base delays is past every sensible maximum; the bounds keep the multiplication from overflowing.
        min(max(policy.baseDelay, .zero), .seconds(1 << 32)) * (Double(1 << min(retries, 20)) * jitter)
    }
}
