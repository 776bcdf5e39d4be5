/// An open WebSocket as a transport gives it: messages in and out. Ends once.
///
/// All members may be used from any thread.
public protocol WebSocketLink: Sendable {
    /// Takes a message for sending; returns when there is room for the next. Messages of several callers stay whole.
    ///
    /// - Throws: ``HTTPError/webSocket(_:)`` once the socket is closing or closed, else what ended it.
    func send(_ message: WebSocketMessage) async throws

    /// The next message, in order; nil when the socket was closed and every message given. Cancelling the task ends the
    /// wait and nothing else.
    ///
    /// - Throws: what ended the socket, after the messages that came before.
    func receive() async throws -> WebSocketMessage?

    /// Sends a ping and waits for its answer; returns the time in between.
    func ping() async throws -> Duration

    /// Begins to close, after the messages taken so far. ``waitForEnd()`` tells when it is done.
    func close(code: WebSocketCloseCode, reason: String)

    /// Ends the socket at once, without a word to the server.
    func abort(_ error: HTTPError)

    /// Whether one side has begun to close.
    var isClosing: Bool { get }

    /// Waits for the end: how the server closed, or what ended the socket. Cancelling the task changes nothing.
    func waitForEnd() async -> Result<WebSocketClosure, HTTPError>
}
