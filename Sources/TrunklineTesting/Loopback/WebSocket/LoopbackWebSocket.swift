import Foundation

/// The server's side of a WebSocket; see ``LoopbackServer/webSocket(_:protocols:headers:maximumMessageBytes:_:)``.
///
/// Pings of the client are answered, and its close, while the handler waits in ``receive()``. A client that breaks the
/// protocol is told with the close code for it, and ``receive()`` throws.
public final class LoopbackWebSocket: Sendable {
    private struct State: Sendable {
        var reader: WebSocketReader
        var messages: [WebSocketMessage] = []
        var closure: WebSocketClosure?
        var violation: LoopbackError?
        var hasClosed = false
        var answersPings = true
        var pongs: [Data] = []
    }

    /// The request of the handshake.
    public let request: LoopbackRequest
    /// The subprotocol that was agreed on, or nil for none.
    public let subprotocol: String?

    private let pipe: LoopbackPipe
    private let encoder = FrameEncoder(role: .server)
    private let state: Protected<State>

    init(pipe: LoopbackPipe, request: LoopbackRequest, subprotocol: String?, maximumMessageBytes: Int) {
        self.pipe = pipe
        self.request = request
        self.subprotocol = subprotocol
        state = Protected(State(reader: WebSocketReader(role: .server, maximumMessageBytes: maximumMessageBytes)))
    }

    /// How the client closed; nil while it has not.
    public var closure: WebSocketClosure? { state.withLock { $0.closure } }

    /// The payloads of the pongs that have come, in order.
    public var pongs: [Data] { state.withLock { $0.pongs } }

    /// Whether pings are answered; on by default. Off, a client finds out that nobody is there.
    public var answersPings: Bool {
        get { state.withLock { $0.answersPings } }
        set { state.withLock { $0.answersPings = newValue } }
    }

    /// The next message of the client; nil when it has closed, or is gone. One caller at a time.
    ///
    /// - Throws: ``LoopbackError`` when the client broke the protocol.
    public func receive() async throws -> WebSocketMessage? {
        while true {
            let next: Result<WebSocketMessage?, LoopbackError>? = state.withLock { state in
                if !state.messages.isEmpty { return .success(state.messages.removeFirst()) }
                if let violation = state.violation { return .failure(violation) }
                return state.closure == nil ? nil : .success(nil)
            }
            if let next { return try next.get() }
            guard let bytes = await pipe.receive() else { return nil }
            read(bytes)
        }
    }

    /// Sends a message after all that was sent before; returns at once.
    public func send(_ message: WebSocketMessage) { pipe.send(encoder.encode(message)) }

    /// Sends text.
    public func send(_ text: String) { send(.text(text)) }

    /// Sends a ping.
    public func ping(_ payload: Data = Data()) {
        pipe.send(encoder.encode(WebSocketFrame(opcode: .ping, payload: payload)))
    }

    /// Sends a pong that nobody asked for, or the answer to a ping that ``answersPings`` left out.
    public func pong(_ payload: Data = Data()) {
        pipe.send(encoder.encode(WebSocketFrame(opcode: .pong, payload: payload)))
    }

    /// Sends a close; without a code an empty one. ``receive()`` gives nil when the client has answered.
    public func close(code: WebSocketCloseCode? = .normalClosure, reason: String = "") {
        let isFirst = state.withLock { state in
            defer { state.hasClosed = true }
            return !state.hasClosed
        }
        if isFirst { pipe.send(encoder.encodeClose(code, reason: reason)) }
    }

    /// Sends bytes as they are: frames that break the protocol, or half of one.
    public func sendRaw(_ bytes: Data) { pipe.send(bytes) }

    /// Runs steps of a script after all that was sent before: a reset, a drip, a wait.
    public func run(_ steps: [ScriptStep]) {
        state.withLock { $0.hasClosed = true }
        pipe.run(steps)
    }

    /// Leaves the connection without a close when the handler returns.
    public func abandon() { state.withLock { $0.hasClosed = true } }

    /// The handler is done: closes, and waits a moment for the answer, so that it is not met by a reset.
    func finish(_ code: WebSocketCloseCode) async {
        let isOpen = state.withLock { !$0.hasClosed && $0.closure == nil && $0.violation == nil }
        guard isOpen else { return }
        close(code: code)
        while state.withLock({ $0.closure == nil && $0.violation == nil }) {
            guard let bytes = await pipe.receive() else { return }
            read(bytes)
        }
    }

    private func read(_ bytes: Data) {
        state.withLock { state in
            for event in state.reader.read(bytes) {
                switch event {
                case .message(let message): state.messages.append(message)
                case .pong(let payload): state.pongs.append(payload)
                case .ping(let payload):
                    if state.answersPings {
                        pipe.send(encoder.encode(WebSocketFrame(opcode: .pong, payload: payload)))
                    }
                case .close(let closure):
                    state.closure = closure
                    if !state.hasClosed { pipe.send(encoder.encodeClose(closure.code)) }
                    state.hasClosed = true
                case .violation(let violation):
                    state.violation = LoopbackError("the client broke the protocol: \(violation.failure.detail)")
                    if !state.hasClosed { pipe.send(encoder.encodeClose(violation.code)) }
                    state.hasClosed = true
                }
            }
        }
    }
}
