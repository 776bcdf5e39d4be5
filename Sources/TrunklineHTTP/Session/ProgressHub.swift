import Foundation

/// The progress of one request, both ways, for any number of listeners that come and go.
final class ProgressHub: Sendable {
    enum Direction: Int, Sendable { case sent, received }

    private struct Way {
        var latest: TransferProgress?
        var listeners: [@Sendable (TransferProgress) -> Void] = []
        /// Made for the first reader: most requests have none.
        var streams: Broadcast<TransferProgress>?
    }

    private struct State {
        var ways = [Way(), Way()]
        var isOver = false
    }

    private let state = Protected(State())

    /// Passes the number on. With the lock held, so that nothing is on its way any more when ``finish()`` returns: a
    /// listener only hops to its queue.
    func report(_ progress: TransferProgress, _ direction: Direction) {
        state.withLock { state in
            guard !state.isOver, state.ways[direction.rawValue].latest != progress else { return }
            state.ways[direction.rawValue].latest = progress
            for listener in state.ways[direction.rawValue].listeners { listener(progress) }
            state.ways[direction.rawValue].streams?.send(progress)
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
            state.ways[direction.rawValue].listeners.append(listener)
        }
    }

    /// The numbers as a stream: the latest, then each newer one; a slow reader misses those between.
    func stream(_ direction: Direction) -> AsyncStream<TransferProgress> {
        state.withLock { state in
            let streams = state.ways[direction.rawValue].streams ?? Broadcast(.bufferingNewest(1))
            if state.isOver { streams.finish() } else { state.ways[direction.rawValue].streams = streams }
            return streams.stream(from: state.ways[direction.rawValue].latest)
        }
    }

    /// Ends the streams and lets the listeners go. Nothing is reported from now on.
    func finish() {
        let (streams, listeners) = state.withLock { state in
            state.isOver = true
            defer {
                for index in state.ways.indices { (state.ways[index].streams, state.ways[index].listeners) = (nil, []) }
            }
            return (state.ways.compactMap(\.streams), state.ways.flatMap(\.listeners))
        }
        for stream in streams { stream.finish() }
        // Released here and not in the lock: what they hold may end with them.
        withExtendedLifetime(listeners) {}
    }

    /// The newest number, or nil before the first.
    func latest(_ direction: Direction) -> TransferProgress? { state.withLock { $0.ways[direction.rawValue].latest } }

    /// How many listen now.
    var listenerCount: Int {
        state.withLock { $0.ways.reduce(0) { $0 + ($1.streams?.readerCount ?? 0) + $1.listeners.count } }
    }
}
