import CTrunklineCurl
import Foundation

/// An open WebSocket over a connection of bytes: everything but the moving of the bytes, which the owner of the connection
/// does on one thread. Between the two lies this object's lock.
///
///     open ──close()──────────────▶ closing ──server's close──▶ draining ──all sent──▶ ended
///       ├───server's close, a violation──────────────────────────▲                      ▲
///       └───the connection ends, a limit, abort()────────────────────────────────────────┘
final class SocketEngine: WebSocketLink {
    typealias End = Result<WebSocketClosure, HTTPError>

    enum Phase {
        case open
        /// This side has sent its close frame.
        case closing
        /// The last frame is on its way; then the end.
        case draining(End)
        case ended(End)
    }

    struct Ping {
        var number: UInt64
        var sentAt: Int64
        var continuation: CheckedContinuation<Duration, any Error>
    }

    struct State {
        var phase = Phase.open
        var outbox = SocketOutbox()
        var inbox = SocketInbox()
        var consumer: (id: Int, continuation: CheckedContinuation<WebSocketMessage?, any Error>)?
        var lastConsumer = 0
        var pings: [Ping] = []
        var lastPing: UInt64 = 0
        /// When the last frame must have been sent, or the close answered.
        var deadline = Int64.max
        /// When bytes last came; and when the silence was questioned, 0 while it was not.
        var lastReceived = tlc_now()
        var questionedAt: Int64 = 0
        var wasFull = false
        /// Whether something has come since the connection's thread last asked for its orders.
        var hasNews = false
        /// Whether that thread waits, or is about to, and has to be woken.
        var isAsleep = false

        /// Notes that there is something to do. Returns whether the thread has to be woken.
        mutating func alert() -> Bool {
            hasNews = true
            defer { isAsleep = false }
            return isAsleep
        }
    }

    let state = Protected(State())
    private let end = LatePromise<WebSocketClosure>()
    let encoder = FrameEncoder(role: .client)
    let closeLimit: Int64
    let keepAliveInterval: Int64
    let keepAliveTimeout: Int64
    private let wake: @Sendable () -> Void

    /// - Parameter wake: wakes the connection's thread; called from any thread, without the lock.
    init(options: WebSocketOptions, wake: @escaping @Sendable () -> Void) {
        self.wake = wake
        closeLimit = CurlTransfer.nanoseconds(options.closeTimeout)
        keepAliveInterval = CurlTransfer.nanoseconds(options.keepAlive?.interval)
        keepAliveTimeout = CurlTransfer.nanoseconds(options.keepAlive?.timeout)
    }

    // MARK: - The user's side

    var isClosing: Bool {
        state.withLock { state in
            if case .open = state.phase { false } else { true }
        }
    }

    func send(_ message: WebSocketMessage) async throws {
        // Encoded and masked here, so that the connection's thread has only bytes to move.
        let bytes = encoder.encode(message)
        let id = state.withLock { $0.outbox.nextID() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                enum Answer { case taken(wakes: Bool), waits, refused(HTTPError) }
                let answer: Answer = state.withLock { state in
                    if let error = refusal(state) { return .refused(error) }
                    if Task.isCancelled { return .refused(.cancelled) }
                    guard state.outbox.add(bytes, id: id, sender: continuation) else { return .waits }
                    return .taken(wakes: state.alert())
                }
                switch answer {
                case .taken(let wakes):
                    if wakes { wake() }
                    continuation.resume()
                case .waits: break
                case .refused(let error): continuation.resume(throwing: error)
                }
            }
        } onCancel: {
            let sender = state.withLock { $0.outbox.remove(id) }
            sender?.resume(throwing: HTTPError.cancelled)
        }
    }

    func receive() async throws -> WebSocketMessage? {
        let id = state.withLock { state in
            state.lastConsumer += 1
            return state.lastConsumer
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                enum Answer { case gives(Result<WebSocketMessage?, HTTPError>, wakes: Bool), waits }
                let answer: Answer = state.withLock { state in
                    if Task.isCancelled { return .gives(.failure(.cancelled), wakes: false) }
                    if let message = state.inbox.next() {
                        // The thread stopped to read when the inbox was full.
                        let wakes = state.wasFull && !state.inbox.isFull && state.alert()
                        return .gives(.success(message), wakes: wakes)
                    }
                    if case .ended(let end) = state.phase { return .gives(end.map { _ in nil }, wakes: false) }
                    if state.consumer != nil { return .gives(.failure(SocketEngine.secondReader), wakes: false) }
                    state.consumer = (id, continuation)
                    return .waits
                }
                guard case .gives(let result, let wakes) = answer else { return }
                if wakes { wake() }
                continuation.resume(with: result.mapError { $0 })
            }
        } onCancel: {
            let consumer = state.withLock { state -> CheckedContinuation<WebSocketMessage?, any Error>? in
                guard let consumer = state.consumer, consumer.id == id else { return nil }
                state.consumer = nil
                return consumer.continuation
            }
            consumer?.resume(throwing: HTTPError.cancelled)
        }
    }

    func ping() async throws -> Duration {
        let number = state.withLock { state in
            state.lastPing += 1
            return state.lastPing
        }
        let frame = encoder.encode(WebSocketFrame(opcode: .ping, payload: SocketEngine.payload(of: number)))
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let refused: HTTPError? = state.withLock { state in
                    if let error = refusal(state) { return error }
                    if Task.isCancelled { return .cancelled }
                    state.pings.append(Ping(number: number, sentAt: tlc_now(), continuation: continuation))
                    state.outbox.addControl(frame)
                    return nil
                }
                if let refused { continuation.resume(throwing: refused) } else { rouse() }
            }
        } onCancel: {
            let ping = state.withLock { state -> Ping? in
                guard let index = state.pings.firstIndex(where: { $0.number == number }) else { return nil }
                return state.pings.remove(at: index)
            }
            ping?.continuation.resume(throwing: HTTPError.cancelled)
        }
    }

    func close(code: WebSocketCloseCode, reason: String) {
        let frame = encoder.encodeClose(code, reason: reason)
        state.withLock { state in
            guard case .open = state.phase else { return }
            state.outbox.addLast(frame)
            state.phase = .closing
            state.deadline = tlc_now() + closeLimit
        }
        rouse()
    }

    func abort(_ error: HTTPError) {
        finish(.failure(error), keepsMessages: false)
        rouse()
    }

    func waitForEnd() async -> End { await end.wait() }

    /// Why nothing can be sent, if so.
    private func refusal(_ state: State) -> HTTPError? {
        switch state.phase {
        case .open: nil
        case .ended(.failure(let error)): error
        case .closing, .draining, .ended(.success):
            .webSocket(WebSocketFailure(reason: .closed, detail: "it is closed, or about to be, and can't send"))
        }
    }

    private static let secondReader = HTTPError.unsupported(
        feature: "A second reader of a WebSocket's messages at a time", platform: "any platform")

    static func payload(of number: UInt64) -> Data { withUnsafeBytes(of: number.bigEndian) { Data($0) } }

    private func rouse() {
        if state.withLock({ $0.alert() }) { wake() }
    }

    /// Ends the socket; without effect the second time.
    func finish(_ outcome: End, keepsMessages: Bool) {
        struct Waiters {
            var consumer: CheckedContinuation<WebSocketMessage?, any Error>?
            var senders: [SocketOutbox.Sender]
            var pings: [Ping]
        }
        let waiters = state.withLock { state -> Waiters? in
            if case .ended = state.phase { return nil }
            state.phase = .ended(outcome)
            if !keepsMessages { state.inbox.removeAll() }
            defer { (state.consumer, state.pings) = (nil, []) }
            return Waiters(
                consumer: state.consumer?.continuation, senders: state.outbox.removeAll(), pings: state.pings)
        }
        guard let waiters else { return }
        let error: HTTPError =
            if case .failure(let error) = outcome {
                error
            } else {
                .webSocket(WebSocketFailure(reason: .closed, detail: "it was closed"))
            }
        for sender in waiters.senders { sender.resume(throwing: error) }
        for ping in waiters.pings { ping.continuation.resume(throwing: error) }
        switch outcome {
        case .success: waiters.consumer?.resume(returning: nil)
        case .failure(let error): waiters.consumer?.resume(throwing: error)
        }
        end.settle(outcome)
    }
}
