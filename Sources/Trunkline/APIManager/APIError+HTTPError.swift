extension APIError {
    /// The manager's view of a session's error.
    init(_ error: HTTPError) {
        self.init(Self.type(of: error), reason: error.description, underlying: error)
    }

    private static func type(of error: HTTPError) -> APIErrorType {
        switch error {
        case .cancelled, .sessionInvalidated: .cancelled
        case .invalidRequest, .bodyNotReplayable, .unsupported, .file: .requestError
        case .timedOut: .timeout
        case .offline: .noNetwork
        case .nameResolution, .connectionFailed, .connectionLost, .tls, .webSocket, .circuitOpen, .rateLimited:
            .connectionError
        case .invalidResponse, .tooManyRedirects, .invalidRedirect, .decoding: .invalidContent
        case .validation(let failure):
            .serverError(status: failure.response.statusCode, body: failure.response.data)
        case .emptyResponse, .notInCache: .noContent
        case .transfer(.checksumMismatch), .transfer(.checksumMissing), .transfer(.uploadProtocol): .invalidContent
        case .transfer(.uploadStalled): .connectionError
        case .transfer: .requestError
        case .custom: .other
        case .authentication(let failure):
            // A refresh that could not get through says nothing about the token.
            failure.endsSession
                ? .tokenError : (failure.underlying as? HTTPError).map { Self.type(of: $0) } ?? .tokenError
        }
    }
}
