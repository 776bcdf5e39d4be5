import Foundation
import TrunklineHTTP

/// The ways a request fails without a response, as a real transport reports them.
public enum StubFailure: Hashable, Sendable {
    /// The device has no network.
    case offline
    /// A time limit ran out.
    case timedOut(TimeoutPhase)
    /// The request's host has no address.
    case nameResolution
    /// Nobody listens there.
    case connectionRefused
    /// The server closed the connection without an answer.
    case connectionLost
    /// The secure connection failed.
    case tls(TLSFailure.Reason)
    /// The server sent something that is not HTTP.
    case invalidResponse

    /// The error for a request to this URL.
    public func error(for url: URL) -> HTTPError {
        let host = url.host ?? ""
        return switch self {
        case .offline: .offline
        case .timedOut(let phase): .timedOut(phase)
        case .nameResolution: .nameResolution(host: host)
        case .connectionRefused: .connectionFailed(reason: "the stub of \(host) refused the connection")
        case .connectionLost:
            .connectionLost(
                ConnectionLoss(stage: .beforeResponse, reason: "the stub of \(host) closed the connection"))
        case .tls(let reason): .tls(TLSFailure(reason: reason, detail: "the stub of \(host) says so"))
        case .invalidResponse: .invalidResponse(reason: "the stub of \(host) sent something that is not HTTP")
        }
    }
}
