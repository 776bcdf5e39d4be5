import Foundation

/// What a socket's thread is to do.
struct CurlSocketJob: Sendable {
    var exchange: Exchange
    var options: WebSocketOptions
    var handshake: WebSocketHandshake
    var url: CurlURL
    /// The bytes of the handshake.
    var request: Data
}
