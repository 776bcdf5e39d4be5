/// Where a ``WebSocket`` is in its life. It only moves down this list.
public enum WebSocketState: Hashable, Sendable {
    /// The connection or its handshake is being made.
    case connecting
    /// Messages go both ways.
    case open
    /// One side has begun to close.
    case closing
    /// Ended, or it never came to be.
    case closed
}
