/// A side of a connection.
package enum WebSocketRole: Sendable {
    case client, server
}
