/// A socket in the hands of its user: when it is let go, the connection ends.
final class CurlWebSocketLink: WebSocketLink {
    private let engine: SocketEngine

    init(engine: SocketEngine) { self.engine = engine }

    deinit { engine.abort(.cancelled) }

    var isClosing: Bool { engine.isClosing }

    func send(_ message: WebSocketMessage) async throws { try await engine.send(message) }
    func receive() async throws -> WebSocketMessage? { try await engine.receive() }
    func ping() async throws -> Duration { try await engine.ping() }
    func close(code: WebSocketCloseCode, reason: String) { engine.close(code: code, reason: reason) }
    func abort(_ error: HTTPError) { engine.abort(error) }
    func waitForEnd() async -> Result<WebSocketClosure, HTTPError> { await engine.waitForEnd() }
}
