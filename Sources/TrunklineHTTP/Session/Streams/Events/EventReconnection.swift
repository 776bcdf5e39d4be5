import Foundation

/// What an event stream does when a connection has ended: pure functions of what is known.
enum EventReconnection {
    /// How a connection ended.
    enum Ending: Sendable {
        /// The server closed it after it had accepted.
        case finished
        /// It failed.
        case failed(HTTPError)
    }

    /// The wait before the next connection; nil when there is to be none.
    ///
    /// - Parameters:
    ///   - failures: the failures in a row, this one included; 0 after a stream that was accepted.
    ///   - time: the reconnection time in force.
    static func delay(
        after ending: Ending, failures: Int, time: Duration, options: EventStreamOptions, now: Date
    ) -> Duration? {
        var wait = min(max(time, .zero), options.maximumReconnectionTime)
        guard case .failed(let error) = ending else { return wait }
        guard isTemporary(error) else { return nil }
        if let most = options.maximumFailures, failures >= max(1, most) { return nil }
        // The bound keeps the multiplication from overflowing; it is past every sensible maximum.
        wait = min(wait * (1 << min(max(0, failures - 1), 20)), options.maximumReconnectionTime)
        guard case .validation(let failure) = error,
            let asked = RetryAfter.parse(failure.response.headers["Retry-After"], now: now)
        else { return wait }
        return min(max(wait, asked), options.maximumReconnectionTime)
    }

    /// Whether another attempt may mend it: a failure of the network, or a refusal that says when to come again. Every
    /// other answer is final (WHATWG HTML, section 9.2.2: "fail the connection").
    static func isTemporary(_ error: HTTPError) -> Bool {
        switch error {
        case .offline: true
        case .validation(let failure):
            RetryPolicy.retryableStatuses.contains(failure.response.statusCode)
                && failure.response.headers.contains("Retry-After")
        default: RetryDecision.isRetryable(error)
        }
    }
}
