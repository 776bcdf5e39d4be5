import Foundation

/// What an attempt's end means for the entry: a pure function of what is known.
enum OutboxDecision: Hashable, Sendable {
    /// The server has it.
    case done
    /// Another attempt, after this time.
    case again(after: Duration)
    /// Refused for good: drop it.
    case drop
    /// Refused for now: the app decides.
    case park
    /// Given up.
    case expire(OutboxEvent.Expiry)

    /// Statuses that say "later" (RFC 9110, sections 15.5.9 and 15.6; RFC 8470; RFC 6585), beside all from 500.
    private static let laterStatuses: Set<Int> = [408, 425, 429]
    /// Statuses that somebody has to log in for.
    private static let loginStatuses: Set<Int> = [401, 407]

    /// - Parameters:
    ///   - attempts: those that may have reached the server, this one included.
    ///   - failures: the failures of the entry in this process before this one.
    ///   - jitter: 0..<1.
    static func after(
        _ outcome: Result<HTTPResponse, OutboxFailure>, attempts: Int, failures: Int, jitter: Double, now: Date,
        _ configuration: OutboxConfiguration
    ) -> OutboxDecision {
        let failure: OutboxFailure
        switch outcome {
        case .success(let response) where response.isSuccess: return .done
        case .success(let response): failure = .response(response)
        case .failure(let error): failure = error
        }
        if case .error(.authentication(let reason)) = failure {
            if reason.endsSession { return .park }
        } else if let status = failure.response?.statusCode, loginStatuses.contains(status) {
            return .park
        }
        if neverLeft(failure) { return .park }
        guard mayHelpAgain(failure) else { return configuration.refusal == .drop ? .drop : .park }
        if let limit = configuration.maximumAttempts, attempts >= limit { return .expire(.attempts) }
        let delay = backoff(failures: failures, jitter: jitter, configuration)
        return .again(after: max(delay, floor(of: failure, now: now) ?? .zero))
    }

    /// Whether an entry is too old to be sent. A clock that was put back makes none older.
    static func isTooOld(created: Date, now: Date, _ configuration: OutboxConfiguration) -> Bool {
        guard let limit = configuration.maximumAge else { return false }
        return now.timeIntervalSince(created) > limit.seconds
    }

    /// Whether a failure shows that the request did not reach the server, or only to be asked for another credential, so
    /// that the attempt does not count.
    static func reachedNobody(_ failure: OutboxFailure) -> Bool {
        switch failure {
        case .notReady, .error(.offline), .error(.nameResolution), .error(.connectionFailed), .error(.tls),
            .error(.sessionInvalidated), .error(.circuitOpen), .error(.rateLimited), .error(.authentication):
            true
        default: false
        }
    }

    /// Whether a failure may be over when the network is back: no server has answered, and no limit of this device's asks for
    /// the wait.
    static func mayBeTheNetwork(_ failure: OutboxFailure) -> Bool {
        switch failure {
        case .response, .notReady, .error(.circuitOpen), .error(.rateLimited): false
        case .error(.connectionLost): true
        case .error(let error): error.response == nil
        }
    }

    /// Whether this device could not send it and won't: it was sound when it was enqueued, so an interceptor or the session
    /// is at fault, and no server has refused it.
    private static func neverLeft(_ failure: OutboxFailure) -> Bool {
        switch failure {
        case .error(.invalidRequest), .error(.unsupported), .error(.bodyNotReplayable): true
        default: false
        }
    }

    /// The shortest wait the failure itself asks for.
    private static func floor(of failure: OutboxFailure, now: Date) -> Duration? {
        switch failure {
        case .error(.circuitOpen(_, let wait)), .error(.rateLimited(_, let wait)): min(wait, .seconds(day))
        // At most a day, whatever a server says.
        default:
            RetryAfter.parse(failure.response?.headers["Retry-After"], now: now).map { min($0, .seconds(day)) }
        }
    }

    private static let day: Int64 = 86_400

    private static func mayHelpAgain(_ failure: OutboxFailure) -> Bool {
        switch failure {
        case .response(let response): isLater(response.statusCode)
        case .error(.validation(let refused)): isLater(refused.response.statusCode)
        case .error(.tooManyRedirects), .error(.invalidRedirect), .error(.decoding), .error(.emptyResponse): false
        // A portal's certificate, a token that could not be refreshed, a server that is gone: none of it is the entry's
        // fault, and the maximum age ends it.
        default: true
        }
    }

    private static func isLater(_ status: Int) -> Bool { status >= 500 || laterStatuses.contains(status) }

    private static func backoff(failures: Int, jitter: Double, _ configuration: OutboxConfiguration) -> Duration {
        // The bound keeps the multiplication from overflowing; it is past every sensible maximum.
        let full = min(configuration.baseDelay * (1 << min(max(failures, 0), 20)), configuration.maximumDelay)
        return full * (0.5 + 0.5 * jitter)
    }
}
