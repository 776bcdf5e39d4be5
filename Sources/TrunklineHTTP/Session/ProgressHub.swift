import Foundation

/// The progress of one request, both ways, for any number of listeners that come and go.
final class ProgressHub: Sendable {
    enum Direction: Int, Sendable { case sent, received }

    private struct Way {
        var latest: TransferProgress?
        var listeners: [Int: @Sendable (TransferProgress) -> Void] = [:]
        var streams: [Int: AsyncStream<TransferProgress>.Continuation] = [:]
    }

    private struct State {
        var ways = [Way(), Way()]
        var lastID = 0
        var isOver = false
    }

    private let state = Protected(State())

    /// Passes the number on. With the lock held, so that nothing is on its way any more when ``finish()`` returns: a
    /// listener only hops to its queue.
    func report(_ progress: TransferProgress, _ direction: Direction) {
        state.withLock { state in
            guard !state.isOver, state.ways[direction.rawValue].latest != progress else { return }
            state.ways[direction.rawValue].latest = progress
            for listener in state.ways[direction.rawValue].listeners.values { listener(progress) }
            for stream in state.ways[direction.rawValue].streams.values { stream.yield(progress) }
        }
    }

    /// Calls `handler` on the queue, first with the number so far, where there is one.
    func listen(
        _ direction: Direction, on queue: DispatchQueue, _ handler: @escaping @Sendable (TransferProgress) -> Void
    ) {
        let listener: @Sendable (TransferProgress) -> Void = { progress in queue.async { handler(progress) } }
        state.withLock { state in
            guard !state.isOver else { return }
            if let latest = state.ways[direction.rawValue].latest { listener(latest) }
            state.lastID += 1
            state.ways[direction.rawValue].listeners[state.lastID] = listener
        }
    }

    /// The numbers as a stream: the latest, then each newer one; a slow reader misses those between.
    func stream(_ direction: Direction) -> AsyncStream<TransferProgress> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: TransferProgress.self, bufferingPolicy: .bufferingNewest(1))
        let id = state.withLock { state -> Int? in
            if let latest = state.ways[direction.rawValue].latest { continuation.yield(latest) }
            guard !state.isOver else { return nil }
            state.lastID += 1
            state.ways[direction.rawValue].streams[state.lastID] = continuation
            return state.lastID
        }
        guard let id else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in
            // Outside the lock of `report` and `finish`, in which a stream may end.
            DispatchQueue.global().async { [self] in self?.remove(id, direction) }
        }
        return stream
    }

    /// Ends the streams and lets the listeners go. Nothing is reported from now on.
    func finish() {
        let (streams, listeners) = state.withLock { state in
            state.isOver = true
            defer {
                for index in state.ways.indices {
                    (state.ways[index].streams, state.ways[index].listeners) = ([:], [:])
                }
            }
            return (state.ways.flatMap(\.streams.values), state.ways.flatMap(\.listeners.values))
        }
        for stream in streams { stream.finish() }
        // Released here and not in the lock: what they hold may end with them.
        withExtendedLifetime(listeners) {}
    }

    /// The newest number, or nil before the first.
    func latest(_ direction: Direction) -> TransferProgress? { state.withLock { $0.ways[direction.rawValue].latest } }

    /// How many listen now.
    var listenerCount: Int { state.withLock { $0.ways.reduce(0) { $0 + $1.streams.count + $1.listeners.count } } }

    private func remove(_ id: Int, _ direction: Direction) {
        let removed = state.withLock { $0.ways[direction.rawValue].streams.removeValue(forKey: id) }
        withExtendedLifetime(removed) {}
    }
}
