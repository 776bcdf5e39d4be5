/// How the server closed a ``WebSocket``.
public struct WebSocketClosure: Hashable, Sendable {
    /// The code of the server's close frame, ``WebSocketCloseCode/noStatus`` where it gave none; nil when none came, after
    /// ``WebSocket/close(code:reason:)`` and within its limit.
    public var code: WebSocketCloseCode?
    /// The reason the server gave; empty for none.
    public var reason: String

    /// Makes a closure.
    public init(code: WebSocketCloseCode?, reason: String = "") {
        self.code = code
        self.reason = reason
    }
}
