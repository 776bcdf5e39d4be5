import Foundation

/// Turns what `URLSession` reports into the library's errors, the same ones on every platform.
enum URLSessionErrors {
    /// - Parameters:
    ///   - error: what the task completed with; nil when it completed without a response.
    ///   - host: the host of the request, for errors that name it.
    ///   - partial: the head and the part of the body that had arrived.
    static func map(_ error: (any Error)?, host: String, partial: HTTPResponse?) -> HTTPError {
        guard let error else { return .connectionLost(ConnectionLoss(stage: .beforeResponse, reason: "no response")) }
        guard let code = (error as? URLError)?.code else { return .custom(error) }
        let reason = error.localizedDescription
        switch code {
        case .cancelled: return .cancelled
        case .timedOut: return .timedOut(.idle)
        case .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff: return .offline
        case .cannotFindHost, .dnsLookupFailed: return .nameResolution(host: host)
        case .cannotConnectToHost: return .connectionFailed(reason: reason)
        case .serverCertificateUntrusted, .serverCertificateHasBadDate, .serverCertificateNotYetValid,
            .serverCertificateHasUnknownRoot:
            return .tls(TLSFailure(reason: .untrustedCertificate, detail: reason))
        case .clientCertificateRejected, .clientCertificateRequired:
            return .tls(TLSFailure(reason: .clientCertificate, detail: reason))
        case .secureConnectionFailed:
            return .tls(TLSFailure(reason: .handshake, detail: reason))
        case .cannotDecodeContentData, .cannotDecodeRawData, .cannotParseResponse:
            return .invalidResponse(reason: reason)
        case .badURL, .unsupportedURL:
            return .invalidRequest(.url(host, reason: reason))
        default:
            // On Linux a cut body arrives as an unknown error and a close before the head as a bad server response.
            let stage: ConnectionLoss.Stage = partial == nil ? .beforeResponse : .duringBody
            return .connectionLost(ConnectionLoss(stage: stage, reason: reason, response: partial))
        }
    }
}
