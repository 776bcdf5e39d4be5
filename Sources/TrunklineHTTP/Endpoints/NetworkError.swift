/// How a call of ``NetworkClient`` or ``APIRequestLoader`` failed, sorted by what an app does about it: a closed set.
///
/// ``response`` has the status, header fields and body of the answer, where there was one. `localizedDescription` is a
/// sentence for the user, ``description`` one for a log.
public enum NetworkError: Error, Sendable {
    /// Status 401 or 403: not logged in, or not allowed.
    case authentication(HTTPResponse)
    /// Status 404 or 410: nothing is there.
    case notFound(HTTPResponse)
    /// Status 409 or 412: someone else has changed it meanwhile.
    case conflict(HTTPResponse)
    /// Status 429: too many requests; with the wait the server asks for, if it names one (RFC 9110, section 10.2.3).
    case tooManyRequests(retryAfter: Duration?, HTTPResponse)
    /// Any other status from 400 to 499.
    case badRequest(HTTPResponse)
    /// A status from 500 to 599.
    case server(HTTPResponse)
    /// A status from 300 to 399 that was not followed.
    case redirect(HTTPResponse)
    /// A status that HTTP has no class for.
    case unexpectedStatus(HTTPResponse)
    /// The session's own validation refused an answer whose status is fine.
    case refused(ValidationFailure)
    /// A successful answer without content where a value was expected.
    case noData(HTTPResponse)
    /// The content is not what was expected; with the place and the cause.
    case undecodable(DecodingFailure)
    /// The request can't be built as it was described. Nothing was sent.
    case invalidRequest(RequestFailure)
    /// The token provider gave none. Nothing was sent.
    case tokenUnavailable(any Error)
    /// A file could not be read or written.
    case file(FileFailure)
    /// The device has no network.
    case offline
    /// A limit of ``Timeouts`` ran out.
    case timedOut(TimeoutPhase)
    /// The caller cancelled.
    case cancelled
    /// Anything else that went wrong on the way: name resolution, connection, TLS, redirects, an ended session.
    case transport(HTTPError)
    /// The app's own code threw it: an overridden step, an encoder, an interceptor.
    case other(any Error)
}

extension NetworkError {
    /// What the status of a response means; nil for 200 to 299.
    public init?(status response: HTTPResponse) {
        switch response.statusCode {
        case 200..<300: return nil
        case 300..<400: self = .redirect(response)
        case 401, 403: self = .authentication(response)
        case 404, 410: self = .notFound(response)
        case 409, 412: self = .conflict(response)
        case 429:
            let wait = RetryAfter.parse(response.headers["Retry-After"], now: .now)
            self = .tooManyRequests(retryAfter: wait, response)
        case 400..<500: self = .badRequest(response)
        case 500..<600: self = .server(response)
        default: self = .unexpectedStatus(response)
        }
    }

    /// Any error as a `NetworkError`: one of its own unchanged, the library's sorted, everything else as ``other(_:)``.
    public init(_ error: any Error) {
        switch error {
        case let error as NetworkError: self = error
        case let error as HTTPError: self.init(sorting: error)
        case let error as DecodingError:
            self = .undecodable(DecodingFailure(type: "value", error: error, response: nil))
        case is CancellationError: self = .cancelled
        default: self = .other(error)
        }
    }

    private init(sorting error: HTTPError) {
        switch error {
        case .cancelled: self = .cancelled
        case .invalidRequest(let failure): self = .invalidRequest(failure)
        case .timedOut(let phase): self = .timedOut(phase)
        case .offline: self = .offline
        case .validation(let failure):
            self = NetworkError(status: failure.response) ?? .refused(failure)
        case .emptyResponse(let response): self = .noData(response)
        case .decoding(let failure): self = .undecodable(failure)
        case .file(let failure): self = .file(failure)
        case .custom(let error): self = .other(error)
        case .sessionInvalidated, .nameResolution, .connectionFailed, .connectionLost, .tls, .invalidResponse,
            .tooManyRedirects, .invalidRedirect, .bodyNotReplayable, .notInCache, .unsupported, .webSocket, .transfer,
            .circuitOpen, .rateLimited:
            self = .transport(error)
        case .authentication(let failure):
            self = failure.response.map { .authentication($0) } ?? .tokenUnavailable(failure)
        }
    }

    /// The answer that came with the failure, where there was one.
    public var response: HTTPResponse? {
        switch self {
        case .authentication(let response), .notFound(let response), .conflict(let response),
            .tooManyRequests(_, let response), .badRequest(let response), .server(let response),
            .redirect(let response), .unexpectedStatus(let response), .noData(let response):
            response
        case .refused(let failure): failure.response
        case .undecodable(let failure): failure.response
        case .transport(let error): error.response
        case .invalidRequest, .tokenUnavailable, .file, .offline, .timedOut, .cancelled, .other: nil
        }
    }

    /// The status of the answer, where there was one.
    public var statusCode: Int? { response?.statusCode }
}
