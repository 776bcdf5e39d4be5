/// Why a ``WebSocket`` could not do what was asked, or was ended.
public struct WebSocketFailure: Hashable, Sendable, CustomStringConvertible {
    /// The kinds that are told apart.
    public enum Reason: Hashable, Sendable {
        /// The socket is closed, or about to be: nothing can be sent.
        case closed
        /// The server broke the protocol; it was told with 1002.
        case protocolViolation
        /// The server sent text that is not UTF-8; it was told with 1007.
        case invalidText
        /// The server sent a message beyond ``WebSocketOptions/maximumMessageBytes``; it was told with 1009.
        case messageTooBig
        /// The close code must not be sent, or its reason is too long.
        case invalidClose
    }

    /// What kind of failure it is.
    public var reason: Reason
    /// What was wrong.
    public var detail: String

    /// Makes the description of a failure.
    public init(reason: Reason, detail: String) {
        self.reason = reason
        self.detail = detail
    }

    /// What was wrong, for a developer.
    public var description: String { "The WebSocket failed: \(detail)." }
}
