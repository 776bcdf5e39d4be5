/// Why an attempt to send an entry failed.
public enum OutboxFailure: Error, Sendable, CustomStringConvertible {
    /// The server answered with a status that is a failure.
    case response(HTTPResponse)
    /// There was no answer, or the session refused it.
    case error(HTTPError)
    /// The request could not be made now: the service is unknown, say.
    case notReady(reason: String)

    /// The answer, where there was one.
    public var response: HTTPResponse? {
        switch self {
        case .response(let response): response
        case .error(let error): error.response
        case .notReady: nil
        }
    }

    /// What went wrong.
    public var description: String {
        switch self {
        case .response(let response): "The server answered with status \(response.statusCode)."
        case .error(let error): "\(error)"
        case .notReady(let reason): "The request can't be made now: \(reason)"
        }
    }
}
