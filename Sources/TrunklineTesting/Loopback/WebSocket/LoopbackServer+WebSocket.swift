import Foundation

extension LoopbackServer {
    /// Serves a WebSocket (RFC 6455) at a path: checks the handshake, answers it, and hands the socket to a handler.
    ///
    /// ```swift
    /// server.webSocket("/echo") { socket in
    ///     while let message = try await socket.receive() { socket.send(message) }
    /// }
    /// ```
    ///
    /// A request that is no handshake gets 426, a bad one 400. When the handler returns, the socket is closed with 1000, when
    /// it throws with 1011, unless it was closed before.
    ///
    /// - Parameters:
    ///   - path: the path; see ``route(_:_:options:_:)``.
    ///   - protocols: the subprotocols that are spoken; of those the client offers, the first of its list that is here is
    ///     chosen.
    ///   - headers: more header fields of the answer.
    ///   - maximumMessageBytes: the most bytes of a message; by default 64 MB.
    ///   - handler: Called in a task of its own for each socket, which is cancelled when the client goes away.
    public func webSocket(
        _ path: String, protocols: [String] = [], headers: HTTPHeaders = [:], maximumMessageBytes: Int = 64 << 20,
        _ handler: @escaping @Sendable (LoopbackWebSocket) async throws -> Void
    ) {
        route(.get, path) { request in
            guard WebSocketHandshake.hasToken("websocket", in: request.headers["Upgrade"]) else {
                return .text("This is a WebSocket.", status: 426, headers: ["Upgrade": "websocket"])
            }
            guard WebSocketHandshake.hasToken("upgrade", in: request.headers["Connection"]),
                request.headers["Sec-WebSocket-Version"] == "13", request.version == "HTTP/1.1",
                let key = request.headers["Sec-WebSocket-Key"], Data(base64Encoded: key)?.count == 16
            else { return .text("The WebSocket handshake is malformed.", status: 400) }
            let offered = (request.headers["Sec-WebSocket-Protocol"] ?? "").split(separator: ",")
                .map { $0.trimmingCharacters(in: .whitespaces) }
            let chosen = offered.first { protocols.contains($0) }
            var answer: HTTPHeaders = [
                "Upgrade": "websocket", "Connection": "Upgrade",
                "Sec-WebSocket-Accept": WebSocketHandshake.accept(for: key),
            ]
            if let chosen { answer.set("Sec-WebSocket-Protocol", chosen) }
            return .pipe(status: 101, headers: answer.merging(headers)) { pipe in
                let socket = LoopbackWebSocket(
                    pipe: pipe, request: request, subprotocol: chosen, maximumMessageBytes: maximumMessageBytes)
                do {
                    try await handler(socket)
                    await socket.finish(.normalClosure)
                } catch {
                    await socket.finish(.internalError)
                }
            }
        }
    }
}
