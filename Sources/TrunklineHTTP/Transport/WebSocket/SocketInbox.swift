import Foundation

/// The messages of a WebSocket that wait for their reader. Bounded by its owner, who stops to read from the connection
/// when it is full.
struct SocketInbox {
    private var messages: [WebSocketMessage?] = []
    private var first = 0
    private var bytes = 0

    /// Whether nothing more should be read from the connection.
    var isFull: Bool { bytes >= 1 << 20 }

    mutating func add(_ message: WebSocketMessage) {
        messages.append(message)
        bytes += SocketInbox.weight(message)
    }

    mutating func next() -> WebSocketMessage? {
        guard first < messages.count, let message = messages[first] else { return nil }
        messages[first] = nil
        first += 1
        bytes -= SocketInbox.weight(message)
        if first == messages.count {
            messages.removeAll(keepingCapacity: true)
            first = 0
        } else if first > 64, first * 2 > messages.count {
            messages.removeFirst(first)
            first = 0
        }
        return message
    }

    mutating func removeAll() { self = SocketInbox() }

    /// Empty messages take memory too.
    private static func weight(_ message: WebSocketMessage) -> Int { message.count + 64 }
}
