import Foundation
import TrunklineHTTP

/// Recorded failures as errors again.
enum CassetteFailures {
    static func error(_ kind: HARFailure, _ answer: HARResponse, url: URL) -> HTTPError {
        let reason = answer.error ?? "the recorded exchange failed (\(kind.rawValue))"
        return switch kind {
        case .cancelled: .cancelled
        case .sessionInvalidated: .sessionInvalidated
        case .timedOutConnect: .timedOut(.connect)
        case .timedOutIdle: .timedOut(.idle)
        case .timedOutTotal: .timedOut(.total)
        case .offline: .offline
        case .nameResolution: .nameResolution(host: url.host ?? "")
        case .connectionFailed, .other: .connectionFailed(reason: reason)
        case .lostBeforeResponse: .connectionLost(ConnectionLoss(stage: .beforeResponse, reason: reason))
        case .lostDuringBody: .connectionLost(ConnectionLoss(stage: .duringBody, reason: reason))
        case .tls: .tls(TLSFailure(reason: .handshake, detail: reason))
        case .invalidResponse: .invalidResponse(reason: reason)
        }
    }
}

extension RequestBody {
    /// This body, where it is a stream with the bytes that were read of it, framed as before.
    func buffered(_ data: Data) -> RequestBody {
        guard case .stream(let length, let isReplayable, _) = source else { return self }
        let make: @Sendable () -> RequestBody.Chunks = {
            RequestBody.Chunks { continuation in
                if !data.isEmpty { continuation.yield(data) }
                continuation.finish()
            }
        }
        return RequestBody(
            source: .stream(length: length, replayable: isReplayable, make: make), contentType: contentType)
    }
}
