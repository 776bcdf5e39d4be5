/// A response that arrived and was refused.
public struct ValidationFailure: Sendable, CustomStringConvertible {
    /// Why it was refused.
    public enum Reason: Hashable, Sendable {
        /// The status is outside the accepted ones.
        case unacceptableStatus(Int)
        /// The content's media type is not among the accepted ones.
        case unacceptableContentType(String, accepted: [String])
        /// There is content and no `Content-Type`.
        case missingContentType(accepted: [String])
        /// A custom check refused it, with its reason.
        case custom(String)
    }

    /// Why it was refused.
    public var reason: Reason
    /// The whole response, body included, so the server's explanation can be read.
    public var response: HTTPResponse
    /// What the server wrote into the response, read as ``RequestOptions/serverError`` says.
    public var serverError: (any Error)?

    /// Makes a failure.
    public init(reason: Reason, response: HTTPResponse, serverError: (any Error)? = nil) {
        self.reason = reason
        self.response = response
        self.serverError = serverError
    }

    /// What was refused and why.
    public var description: String {
        switch reason {
        case .unacceptableStatus(let status): "The server answered with status \(status)."
        case .unacceptableContentType(let type, let accepted):
            "The content type \"\(type)\" is not one of \(accepted.joined(separator: ", "))."
        case .missingContentType(let accepted):
            "The response has content without a type; expected \(accepted.joined(separator: ", "))."
        case .custom(let reason): "The response was refused: \(Redaction.standard.text(reason))."
        }
    }
}
