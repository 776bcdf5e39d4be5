/// The messages of a ``WebSocket``; see ``WebSocket/messages``.
///
/// Errors are ``HTTPError``.
public struct WebSocketMessages: AsyncSequence, Sendable {
    public typealias Element = WebSocketMessage

    let socket: WebSocket

    /// Begins to read, with the next message.
    public func makeAsyncIterator() -> Iterator { Iterator(socket: socket) }

    /// Reads the messages.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        let socket: WebSocket

        /// Waits for the next message; nil after a close.
        public mutating func next() async throws -> WebSocketMessage? { try await socket.core.receive() }
    }
}
