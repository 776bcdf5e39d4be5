import Foundation

/// A message of a ``WebSocket``, whole, however many frames it came in (RFC 6455, section 5.6).
public enum WebSocketMessage: Hashable, Sendable {
    /// Text, valid UTF-8 on the wire.
    case text(String)
    /// Bytes.
    case binary(Data)

    /// The bytes of the content.
    package var count: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .binary(let data): data.count
        }
    }
}
