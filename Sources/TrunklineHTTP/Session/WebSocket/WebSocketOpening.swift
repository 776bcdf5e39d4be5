/// The end of a WebSocket's pipeline: opens the socket in the place where a request would be sent, so that interceptors,
/// cookies and authentication see the handshake like any request. A refusal is a response like any other.
final class WebSocketOpening: Transport {
    private let id: RequestID
    private let transport: any Transport
    private let options: WebSocketOptions
    private let answer = Protected<WebSocketAnswer?>(nil)

    /// - Parameter id: the handshake's identity; other requests, such as a token's refresh, are sent as what they are.
    init(id: RequestID, transport: any Transport, options: WebSocketOptions) {
        self.id = id
        self.transport = transport
        self.options = options
    }

    var capabilities: TransportCapabilities { transport.capabilities }

    func send(_ exchange: Exchange) async throws -> HTTPResponse {
        guard exchange.id == id else { return try await transport.send(exchange) }
        let opened = try await transport.openWebSocket(exchange, options: options)
        // An attempt before this one, whose socket nobody took.
        let before = answer.withLock { answer in
            defer { answer = opened }
            return answer
        }
        before?.link?.abort(.cancelled)
        return opened.response
    }

    /// The session owns the transport.
    func invalidate() {}

    /// The answer of the last attempt.
    func takeAnswer() -> WebSocketAnswer? {
        answer.withLock { answer in
            defer { answer = nil }
            return answer
        }
    }
}
