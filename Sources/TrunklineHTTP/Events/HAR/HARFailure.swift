/// The kinds of failures, by the names HAR files have in `_failure`: enough to fail in the same way when the file is
/// replayed.
public enum HARFailure: String, Hashable, Sendable, CaseIterable {
    case cancelled, sessionInvalidated, timedOutConnect, timedOutIdle, timedOutTotal, offline, nameResolution
    case connectionFailed, lostBeforeResponse, lostDuringBody, tls, invalidResponse, other

    /// The kind of an error.
    public init(_ error: HTTPError) {
        switch error {
        case .cancelled: self = .cancelled
        case .sessionInvalidated: self = .sessionInvalidated
        case .timedOut(.connect): self = .timedOutConnect
        case .timedOut(.idle): self = .timedOutIdle
        case .timedOut(.total): self = .timedOutTotal
        case .offline: self = .offline
        case .nameResolution: self = .nameResolution
        case .connectionFailed: self = .connectionFailed
        case .connectionLost(let loss): self = loss.stage == .beforeResponse ? .lostBeforeResponse : .lostDuringBody
        case .tls: self = .tls
        case .invalidResponse: self = .invalidResponse
        default: self = .other
        }
    }
}
