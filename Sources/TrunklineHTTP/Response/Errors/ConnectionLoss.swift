/// A connection that ended before the response was complete.
public struct ConnectionLoss: Sendable, CustomStringConvertible {
    /// When in the exchange the connection ended.
    public enum Stage: Hashable, Sendable {
        /// Before any byte of a response.
        case beforeResponse
        /// After the head, before the end of the content: the message is incomplete (RFC 9112, section 8).
        case duringBody
    }

    /// When it ended.
    public var stage: Stage
    /// What the transport said.
    public var reason: String
    /// The head and the part of the content that arrived, where there was a head. Never decoded, never cached.
    public var response: HTTPResponse?

    /// Makes the description of a loss.
    public init(stage: Stage, reason: String, response: HTTPResponse? = nil) {
        self.stage = stage
        self.reason = reason
        self.response = response
    }

    /// What happened; header fields and content are left out.
    public var description: String { "The connection was lost: \(Redaction.standard.text(reason))." }
}
