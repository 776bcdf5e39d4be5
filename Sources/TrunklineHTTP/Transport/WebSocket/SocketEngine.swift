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

    private enum Phase {
        case open
        /// This side has sent its close frame.
        case closing
        /// The last frame is on its way; then the end.
        case draining(End)
        case ended(End)
    }

    private struct Ping {
        var number: UInt64
        var sentAt: Int64
        var continuation: CheckedContinuation<Duration, any Error>
    }

    private struct State {
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

    private let state = Protected(State())
    private let end = LatePromise<WebSocketClosure>()
    private let encoder = FrameEncoder(role: .client)
    private let closeLimit: Int64
    private let keepAliveInterval: Int64
    private let keepAliveTimeout: Int64
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

    private static func payload(of number: UInt64) -> Data { withUnsafeBytes(of: number.bigEndian) { Data($0) } }

    private func rouse() {
        if state.withLock({ $0.alert() }) { wake() }
    }

    // MARK: - The connection's side

    /// What the connection's thread does next.
    struct Orders {
        /// Frames to send after those before.
        var frames: [Data] = []
        /// Whether bytes may be read.
        var reads = true
        /// Whether the socket has ended: the connection is to be closed.
        var isOver = false
        /// When to look again, in the loop's time; `Int64.max` for never.
        var deadline = Int64.max
    }

    /// Applies the limits and says what to do.
    func orders(now: Int64, unsent: Int) -> Orders {
        var end: End?
        let orders: Orders = state.withLock { state in
            var orders = Orders()
            (state.isAsleep, state.hasNews) = (false, false)
            switch state.phase {
            case .ended: orders.isOver = true
            case .draining(let outcome):
                if unsent == 0 && !state.outbox.hasFrames || now >= state.deadline { end = outcome }
                orders.reads = false
            case .closing:
                // The server doesn't answer: the caller wanted an end, and gets it.
                if now >= state.deadline { end = .success(WebSocketClosure(code: nil)) }
            case .open:
                // A flood of pings whose answers the server doesn't take must not fill the memory.
                orders.reads = !state.inbox.isFull && state.outbox.pending < 4 * SocketOutbox.highWater
                if state.wasFull, orders.reads { state.lastReceived = now }
                state.wasFull = !orders.reads
                if orders.reads { keepAlive(&state, now: now, end: &end) }
            }
            orders.frames = state.outbox.take()
            orders.deadline = state.deadline
            if case .open = state.phase, keepAliveInterval > 0, orders.reads {
                let next =
                    state.questionedAt > 0
                    ? state.questionedAt + keepAliveTimeout : state.lastReceived + keepAliveInterval
                orders.deadline = min(orders.deadline, next)
            }
            return orders
        }
        guard let end else { return orders }
        finish(end, keepsMessages: true)
        return Orders(isOver: true)
    }

    private func keepAlive(_ state: inout State, now: Int64, end: inout End?) {
        guard keepAliveInterval > 0 else { return }
        if state.questionedAt > 0 {
            if now - state.questionedAt >= keepAliveTimeout { end = .failure(.timedOut(.idle)) }
        } else if now - state.lastReceived >= keepAliveInterval {
            state.questionedAt = now
            // The number 0 is no caller's.
            state.outbox.addControl(
                encoder.encode(WebSocketFrame(opcode: .ping, payload: SocketEngine.payload(of: 0))))
        }
    }

    /// Notes bytes that the connection took.
    func sent(_ count: Int) {
        let senders = state.withLock { $0.outbox.sent(count) }
        for sender in senders { sender.resume() }
    }

    /// Whether the thread may wait: nothing has come since its orders, and it could do nothing. From now on whoever brings
    /// something wakes it.
    func fallAsleep(reading: Bool, unsent: Int) -> Bool {
        state.withLock { state in
            if state.hasNews || state.outbox.hasFrames { return false }
            switch state.phase {
            case .ended: return false
            case .draining where unsent == 0: return false
            case .open where !reading && !state.inbox.isFull && state.outbox.pending < 4 * SocketOutbox.highWater:
                return false
            default: break
            }
            state.isAsleep = true
            return true
        }
    }

    /// Takes what was read.
    func received(_ events: [WebSocketReader.Event], now: Int64) {
        state.withLock { ($0.lastReceived, $0.questionedAt) = (now, 0) }
        for event in events {
            switch event {
            case .message(let message): deliver(message)
            case .ping(let payload): answer(payload)
            case .pong(let payload): acknowledge(payload, now: now)
            case .close(let closure):
                // The answer repeats the code (section 5.5.1).
                drain(.success(closure), last: encoder.encodeClose(closure.code), now: now)
            case .violation(let violation):
                drain(
                    .failure(.webSocket(violation.failure)), last: encoder.encodeClose(violation.code), now: now)
            }
        }
    }

    /// The connection has ended: in order only where this side was closing.
    func connectionEnded(_ error: HTTPError) {
        let outcome: End = state.withLock { state in
            switch state.phase {
            case .draining(let outcome), .ended(let outcome): outcome
            case .closing: .success(WebSocketClosure(code: nil))
            case .open: .failure(error)
            }
        }
        finish(outcome, keepsMessages: true)
    }

    private func deliver(_ message: WebSocketMessage) {
        let consumer = state.withLock { state -> CheckedContinuation<WebSocketMessage?, any Error>? in
            // After a close of this side messages are dropped, so that the server's close is reached.
            guard case .open = state.phase else { return nil }
            guard let consumer = state.consumer else {
                state.inbox.add(message)
                return nil
            }
            state.consumer = nil
            return consumer.continuation
        }
        consumer?.resume(returning: message)
    }

    private func answer(_ payload: Data) {
        let frame = encoder.encode(WebSocketFrame(opcode: .pong, payload: payload))
        state.withLock { state in
            if case .open = state.phase { state.outbox.addControl(frame) }
        }
    }

    /// A pong answers its ping and those before, as a peer may answer the last one alone (section 5.5.3).
    private func acknowledge(_ payload: Data, now: Int64) {
        guard payload.count == 8 else { return }
        let number = payload.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let answered = state.withLock { state in
            guard number <= state.lastPing else { return [Ping]() }
            let answered = state.pings.filter { $0.number <= number }
            state.pings.removeAll { $0.number <= number }
            return answered
        }
        for ping in answered { ping.continuation.resume(returning: .nanoseconds(max(0, now - ping.sentAt))) }
    }

    /// Sends the last frame, then ends.
    private func drain(_ outcome: End, last: Data, now: Int64) {
        let senders = state.withLock { state -> [SocketOutbox.Sender] in
            switch state.phase {
            case .open:
                let senders = state.outbox.removeAll()
                state.outbox.addControl(last)
                state.phase = .draining(outcome)
                state.deadline = now + 2_000_000_000
                return senders
            case .closing:
                // Its own close frame is the last.
                state.phase = .draining(outcome)
                state.deadline = min(state.deadline, now + 2_000_000_000)
                return []
            case .draining, .ended: return []
            }
        }
        let error = HTTPError.webSocket(WebSocketFailure(reason: .closed, detail: "the server has closed it"))
        for sender in senders { sender.resume(throwing: error) }
    }

    /// Ends the socket; without effect the second time.
    private func finish(_ outcome: End, keepsMessages: Bool) {
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
