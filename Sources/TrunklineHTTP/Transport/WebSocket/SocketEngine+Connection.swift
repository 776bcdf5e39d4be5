import Foundation

/// The connection's side: what the thread that moves the bytes asks and tells.
extension SocketEngine {
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
}
