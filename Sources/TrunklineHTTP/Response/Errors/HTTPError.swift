import Foundation

/// Everything that can end a request without a usable answer: one closed type, the same on every platform and transport.
public enum HTTPError: Error, Sendable {
    /// The caller cancelled, or the task that waited was cancelled.
    case cancelled
    /// The session was invalidated or released while the request was in flight, or before it was made.
    case sessionInvalidated
    /// The request could not be built; nothing was sent.
    case invalidRequest(RequestFailure)
    /// A limit of ``Timeouts`` ran out.
    case timedOut(TimeoutPhase)
    /// The device has no network.
    case offline
    /// The host's name could not be resolved.
    case nameResolution(host: String)
    /// No connection could be made: refused, unreachable, proxy failure.
    case connectionFailed(reason: String)
    /// The connection ended before the response was complete.
    case connectionLost(ConnectionLoss)
    /// The secure connection failed.
    case tls(TLSFailure)
    /// The peer sent something that is not HTTP.
    case invalidResponse(reason: String)
    /// More redirects than the policy allows; the last response is attached.
    case tooManyRedirects(limit: Int, HTTPResponse)
    /// A redirect could not be followed: no usable `Location`, or a target that is not http(s).
    case invalidRedirect(reason: String, HTTPResponse)
    /// The body was needed again, for a redirect, a retry or a replay, and can be read only once.
    case bodyNotReplayable(reason: String)
    /// The response arrived and was not acceptable.
    case validation(ValidationFailure)
    /// The response arrived and had no content where a value was expected.
    case emptyResponse(HTTPResponse)
    /// The content could not be turned into the value asked for.
    case decoding(DecodingFailure)
    /// The cache was to answer alone and had nothing (`.cacheOnly`).
    case notInCache
    /// A file could not be read or written.
    case file(FileFailure)
    /// The feature is not there on this platform or transport. Nothing was sent.
    case unsupported(feature: String, platform: String)
    /// An interceptor, encoder or transport of the app threw its own error.
    case custom(any Error)
    /// The request has no usable credential: none was set, or its refresh failed. The request was not sent, or the
    /// answer that refused its credential is attached.
    case authentication(AuthenticationFailure)
    /// A WebSocket was ended by its peer's mistake, or could not do what was asked.
    case webSocket(WebSocketFailure)
    /// A download was not put in its place, or an upload could not go on, for a reason of the transfer itself.
    case transfer(TransferFailure)
    /// The host's circuit is open (``CircuitBreaker``): it failed too often. It will be probed again after this time, or
    /// is being probed right now when it is zero. Nothing was sent.
    case circuitOpen(host: String, retryAfter: Duration)
    /// The request would have waited this long for its turn under the session's ``RateLimit``, longer than that allows.
    /// Nothing was sent.
    case rateLimited(host: String, wait: Duration)
}

extension HTTPError {
    /// The response that came with the failure, where there was one.
    public var response: HTTPResponse? {
        switch self {
        case .tooManyRedirects(_, let response), .invalidRedirect(_, let response), .emptyResponse(let response):
            response
        case .validation(let failure): failure.response
        case .decoding(let failure): failure.response
        case .connectionLost(let loss): loss.response
        case .authentication(let failure): failure.response
        default: nil
        }
    }

    /// Any error as an `HTTPError`: one of its own unchanged, a task's `CancellationError` as ``cancelled``, everything
    /// else as ``custom(_:)``.
    public init(_ error: any Error) {
        switch error {
        case let error as HTTPError: self = error
        case is CancellationError: self = .cancelled
        default: self = .custom(error)
        }
    }
}
