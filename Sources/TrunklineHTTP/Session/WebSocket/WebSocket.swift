import Foundation

/// A WebSocket (RFC 6455): messages both ways over one connection.
///
/// ```swift
/// let socket = session.webSocket("wss://example.com/chat")
/// try await socket.send(.text("Hello"))
/// for try await message in socket.messages { show(message) }
/// ```
///
/// - The handshake goes through the session's pipeline: its header fields, cookies, authentication and interceptors apply.
///   Redirects are not followed. An answer other than 101 ends the socket with ``HTTPError/validation(_:)``, with the
///   response.
/// - Messages arrive whole and in order. When about 1 MB waits to be read, no more is taken from the connection. Pings of
///   the server are answered as long as it is read.
/// - Ends exactly once. In order after a close of either side: ``messages`` ends, ``closed()`` tells the server's code. Else
///   with an ``HTTPError``: ``HTTPError/connectionLost(_:)`` where the connection ended without a close,
///   ``HTTPError/webSocket(_:)`` where the server broke a rule, ``HTTPError/cancelled``, ``HTTPError/timedOut(_:)`` after a
///   ping without answer, ``HTTPError/sessionInvalidated``.
/// - When its last reference goes, it is closed with 1001. Message handlers keep it until its end.
/// - Works on transports with ``TransportCapabilities/Features/webSockets``; elsewhere it ends with
///   ``HTTPError/unsupported(feature:platform:)``.
///
/// All members may be used from any thread.
public final class WebSocket: Sendable {
    let request: DataRequest
    let core: WebSocketCore

    init(request: DataRequest, core: WebSocketCore) {
        self.request = request
        self.core = core
    }

    deinit {
        guard core.end.outcome == nil else { return }
        if let link = core.link { link.close(code: .goingAway, reason: "") } else { request.cancel() }
    }

    /// The library's identity for this socket.
    public var id: RequestID { request.id }

    /// Words the socket can be found and cancelled by.
    public var tags: Set<String> { request.tags }

    /// Where the socket is in its life.
    public var state: WebSocketState {
        if core.end.outcome != nil { return .closed }
        guard let link = core.link else { return .connecting }
        return link.isClosing ? .closing : .open
    }

    /// The subprotocol that was agreed on; nil before the handshake, and for none.
    public var subprotocol: String? {
        if case .success(let opened) = core.opened.outcome { opened.subprotocol } else { nil }
    }

    /// The code the server closed with; nil before the end, after a failure, and where none came.
    public var closeCode: WebSocketCloseCode? {
        if case .success(let closure) = core.end.outcome { closure.code } else { nil }
    }

    /// Sends the handshake; see ``DataRequest/resume()``.
    @discardableResult
    public func resume() -> Self {
        request.resume()
        return self
    }

    /// Waits until the socket is open; returns the server's answer to the handshake. Cancelling the task cancels the socket.
    ///
    /// - Throws: the ``HTTPError`` that ended it before.
    @discardableResult
    public func opened() async throws(HTTPError) -> HTTPResponse {
        let request = request
        return try await core.opened.value { request.cancel() }.response
    }

    /// Takes a message for sending: waits until the socket is open and there is room, some hundred kilobytes, and returns.
    /// Messages of one task go out in order; those of several stay whole.
    ///
    /// A large text or binary message is sent in frames of 1 MB. Cancelling the task takes back a message that still waits.
    ///
    /// - Throws: ``HTTPError/webSocket(_:)`` once the socket is closing or closed; what ended it; ``HTTPError/cancelled``.
    public func send(_ message: WebSocketMessage) async throws(HTTPError) {
        do {
            try await openLink().send(message)
        } catch {
            throw HTTPError(error)
        }
    }

    /// The messages of the server, in order. Ends with nil after a close, or with the error that ended the socket.
    ///
    /// Leaving the loop changes nothing: a later loop goes on with the next message. One reader at a time; a second one that
    /// waits meanwhile gets ``HTTPError/unsupported(feature:platform:)``. Cancelling the task ends its wait only.
    public var messages: WebSocketMessages { WebSocketMessages(socket: self) }

    /// Sends a ping and waits for its answer.
    ///
    /// - Returns: the time from the one to the other.
    /// - Throws: what ended the socket; ``HTTPError/cancelled`` when the task was cancelled, which changes nothing else.
    @discardableResult
    public func ping() async throws(HTTPError) -> Duration {
        do {
            return try await openLink().ping()
        } catch {
            throw HTTPError(error)
        }
    }

    /// Begins to close: the messages taken so far go out, then the close, and the server answers it within
    /// ``WebSocketOptions/closeTimeout``, or the connection is dropped. ``closed()`` waits for that. Messages that arrive
    /// from now on are dropped. Without effect on a socket that is closing or closed; one that is not open yet is cancelled.
    ///
    /// - Parameters:
    ///   - code: why; by default 1000.
    ///   - reason: the same in words, 123 bytes of UTF-8 at most.
    /// - Throws: ``HTTPError/webSocket(_:)`` when the code must not be sent (RFC 6455, section 7.4) or the reason is too
    ///   long.
    public func close(code: WebSocketCloseCode = .normalClosure, reason: String = "") throws(HTTPError) {
        guard code.isSendable else {
            throw .webSocket(WebSocketFailure(reason: .invalidClose, detail: "the close code \(code) must not be sent"))
        }
        guard reason.utf8.count <= 123 else {
            throw .webSocket(
                WebSocketFailure(reason: .invalidClose, detail: "the close reason is longer than 123 bytes"))
        }
        if let link = core.link { link.close(code: code, reason: reason) } else { request.cancel() }
    }

    /// Waits for the end. Cancelling the task changes nothing.
    ///
    /// - Returns: how the server closed.
    /// - Throws: the ``HTTPError`` that ended the socket, where it was not closed in order.
    @discardableResult
    public func closed() async throws(HTTPError) -> WebSocketClosure { try await core.end.wait().get() }

    /// Ends the socket at once with ``HTTPError/cancelled``, without a word to the server.
    public func cancel() { request.cancel() }

    private func openLink() async throws(HTTPError) -> any WebSocketLink {
        let link = try await core.opened.wait().get().link
        // What ended the request ended the socket, also in the moment before the socket knows.
        if let failure = request.failure { throw failure }
        return link
    }
}
