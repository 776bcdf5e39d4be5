import CTrunklineCurl
import Foundation

extension CurlTransport {
    /// Opens a WebSocket; see ``Transport/openWebSocket(_:options:)``.
    ///
    /// Proxies are asked for a tunnel, also for the scheme http. ``Timeouts/connect`` counts for the connection,
    /// ``Timeouts/idle`` for the handshake after it.
    public func openWebSocket(_ exchange: Exchange, options: WebSocketOptions) async throws -> WebSocketAnswer {
        guard capabilities.features.contains(.webSockets) else {
            throw HTTPError.unsupported(feature: "WebSocket", platform: "this libcurl")
        }
        let handshake = WebSocketHandshake(protocols: options.protocols)
        let url = try CurlURL(exchange.request.url)
        let request = try handshake.request(exchange.request, target: url.target)
        let socket = try CurlSocket()
        guard sockets.insert(socket) else { throw HTTPError.sessionInvalidated }
        let job = CurlSocketJob(
            exchange: exchange, options: options, handshake: handshake, url: url, request: request)
        let (loop, sockets) = (loop, sockets)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard socket.begin(continuation) else { return sockets.remove(socket) }
                let thread = Thread {
                    tlc_block_sigpipe()
                    CurlSocketWorker.run(job, socket: socket, loop: loop)
                    sockets.remove(socket)
                }
                thread.name = "trunkline-socket"
                thread.stackSize = 1 << 20
                thread.start()
            }
        } onCancel: {
            socket.end(.cancelled)
        }
    }
}
