import Foundation

/// How a manager's last load ended: a closed set, each kind apart.
public enum APIErrorType: Hashable, Sendable {
    /// Nothing has been loaded yet.
    case `default`
    /// The load succeeded.
    case success
    /// The answer was refused by the validator, or had no content where some was expected.
    case noContent
    /// The parameters were refused by the validator, or their source is gone; nothing was sent.
    case paramsError
    /// A time limit ran out.
    case timeout
    /// There is no network; nothing was sent, or it could not be.
    case noNetwork
    /// The service says that the token is invalid, or the session has no credential that is usable.
    case tokenError
    /// The service says that the user has to log in first.
    case needLogin
    /// The load was cancelled.
    case cancelled
    /// The server answered with a status that is a failure.
    case serverError(status: Int, body: Data)
    /// The server answered with a status of success, and the envelope says that it did not do what was asked.
    case businessError(code: ResponseCode)
    /// The interceptor vetoed the call; nothing was sent.
    case vetoed
    /// The service is unknown or not set up; nothing was sent.
    case serviceError
    /// The request could not be built; nothing was sent.
    case requestError
    /// The answer is not what the endpoint promises: not JSON, or not HTTP at all.
    case invalidContent
    /// No connection, or one that broke: refused, unresolved, insecure, cut short.
    case connectionError
    /// Something else: an interceptor's own error, say.
    case other
}

extension APIErrorType: CustomStringConvertible {
    /// The kind's name, with the status of a server error and without its body.
    public var description: String {
        switch self {
        case .default: "default"
        case .success: "success"
        case .noContent: "noContent"
        case .paramsError: "paramsError"
        case .timeout: "timeout"
        case .noNetwork: "noNetwork"
        case .tokenError: "tokenError"
        case .needLogin: "needLogin"
        case .cancelled: "cancelled"
        case .serverError(let status, _): "serverError(\(status))"
        case .businessError(let code): "businessError(\(code))"
        case .vetoed: "vetoed"
        case .serviceError: "serviceError"
        case .requestError: "requestError"
        case .invalidContent: "invalidContent"
        case .connectionError: "connectionError"
        case .other: "other"
        }
    }
}
