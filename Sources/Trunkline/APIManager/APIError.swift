/// Why a load failed: the kind, a sentence for the user, a sentence for the developer.
public struct APIError: Error, Sendable {
    /// The kind of failure.
    public var type: APIErrorType
    /// What to tell the user.
    public var message: String
    /// What went wrong, for a log.
    public var reason: String
    /// The session's error behind it, where there is one.
    public var underlying: HTTPError?

    /// Makes an error.
    ///
    /// - Parameter message: what to tell the user; by default a sentence that fits the kind.
    public init(_ type: APIErrorType, message: String? = nil, reason: String, underlying: HTTPError? = nil) {
        self.type = type
        self.message = message ?? type.defaultMessage
        self.reason = reason
        self.underlying = underlying
    }

    /// The load was cancelled.
    static let cancelled = APIError(.cancelled, reason: "The load was cancelled.")
}

extension APIError: CustomStringConvertible {
    /// The developer's sentence.
    public var description: String { reason }
}

extension APIErrorType {
    /// A sentence for the user.
    public var defaultMessage: String {
        switch self {
        case .default, .success: ""
        case .noContent: "There is nothing to show."
        case .paramsError: "Please check what you entered."
        case .timeout: "The server took too long to answer. Please try again."
        case .noNetwork: "You are offline. Check your connection and try again."
        case .tokenError: "Your session has expired. Please log in again."
        case .cancelled: "The request was cancelled."
        case .serverError(let status, _) where status >= 500: "The server has a problem. Please try again later."
        case .serverError(let status, _) where status == 404: "This could not be found."
        case .serverError(let status, _) where status == 401 || status == 403: "You are not allowed to see this."
        case .serverError: "The server refused the request."
        case .vetoed: "This is not possible right now."
        case .serviceError, .requestError: "The request could not be made."
        case .invalidContent: "The server's answer could not be read."
        case .connectionError: "The server could not be reached. Please try again."
        case .other: "Something went wrong. Please try again."
        }
    }
}
