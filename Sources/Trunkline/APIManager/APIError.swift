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
    /// The code of the answer's envelope, where there is one.
    public var code: ResponseCode?
    /// The failed answer's content as the manager has decoded it.
    var content: (any Sendable)?

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - type: the kind of failure.
    ///   - message: what to tell the user; by default ``APIErrorType/userMessage``.
    ///   - reason: what went wrong, for a log.
    ///   - underlying: the session's error behind it, where there is one.
    public init(_ type: APIErrorType, message: String? = nil, reason: String, underlying: HTTPError? = nil) {
        self.type = type
        self.message = message ?? type.userMessage
        self.reason = reason
        self.underlying = underlying
        if case .businessError(let code) = type { self.code = code }
    }

    /// The failed answer's content, where the manager has decoded it as this type; see ``TypedAPIManager``.
    public func serverError<ServerError>(as type: ServerError.Type = ServerError.self) -> ServerError? {
        content as? ServerError
    }

    /// The load was cancelled.
    static var cancelled: APIError { APIError(.cancelled, reason: "The load was cancelled.") }
}

extension APIError: CustomStringConvertible {
    /// The developer's sentence; what looks like a secret in it is masked.
    public var description: String { Redaction.standard.text(reason) }
}
