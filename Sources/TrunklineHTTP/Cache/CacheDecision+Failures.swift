extension CacheDecision {
    /// Whether a failure means that the network, not the request or the server, is at fault: what an entry may stand in for.
    /// Failures of trust (TLS) are not among them, they must be seen; neither are a cancellation and an answer the server did
    /// give.
    public static func isNetworkFailure(_ error: HTTPError) -> Bool {
        switch error {
        case .timedOut, .offline, .nameResolution, .connectionFailed, .connectionLost, .invalidResponse,
            .circuitOpen, .rateLimited:
            true
        default: false
        }
    }
}
