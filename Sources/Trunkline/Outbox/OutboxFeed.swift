/// Passes events on to any number of streams, in order.
final class OutboxFeed: Sendable {
    private struct State: Sendable {
        var streams: [Int: AsyncStream<OutboxEvent>.Continuation] = [:]
        var lastID = 0
        var hasEnded = false
    }

    private let state = Protected(State())

    deinit { finish() }

    func stream() -> AsyncStream<OutboxEvent> {
        let (stream, continuation) = AsyncStream.makeStream(of: OutboxEvent.self)
        let id = state.withLock { state -> Int? in
            if state.hasEnded { return nil }
            state.lastID += 1
            state.streams[state.lastID] = continuation
            return state.lastID
        }
        guard let id else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in self?.state.withLock { $0.streams[id] = nil } }
        return stream
    }

    func send(_ event: OutboxEvent) {
        // Under the lock for the order; a yield calls nobody back.
        state.withLock { state in for stream in state.streams.values { stream.yield(event) } }
    }

    func finish() {
        let streams = state.withLock { state in
            state.hasEnded = true
            defer { state.streams = [:] }
            return Array(state.streams.values)
        }
        for stream in streams { stream.finish() }
    }
}
