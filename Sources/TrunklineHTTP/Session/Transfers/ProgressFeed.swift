import Foundation

/// Passes progress on to those who listen: handlers on their queues, streams; those who come late hear the newest value
/// first. After the end nothing is passed on.
final class ProgressFeed: Sendable {
    private struct State: Sendable {
        var latest: TransferProgress?
        var isFinished = false
        var handlers: [@Sendable (TransferProgress) -> Void] = []
        var streams: [Int: AsyncStream<TransferProgress>.Continuation] = [:]
        var nextStream = 0
    }

    private let state = Protected(State())
    private let isSilenced = Protected(false)

    /// The newest value.
    var latest: TransferProgress? { state.current.latest }

    func report(_ progress: TransferProgress) {
        state.withLock { state in
            guard !state.isFinished, state.latest != progress else { return }
            state.latest = progress
            // Under the lock, so that two threads can't pass each other; none of it calls out.
            for handler in state.handlers { handler(progress) }
            for stream in state.streams.values { stream.yield(progress) }
        }
    }

    /// Calls `handler` on the queue. Values that are on their way there when ``silence()`` is called are dropped.
    func add(on queue: DispatchQueue, _ handler: @escaping @Sendable (TransferProgress) -> Void) {
        let isSilenced = isSilenced
        let deliver: @Sendable (TransferProgress) -> Void = { progress in
            queue.async {
                if !isSilenced.current { handler(progress) }
            }
        }
        state.withLock { state in
            guard !state.isFinished else { return }
            state.handlers.append(deliver)
            if let latest = state.latest { deliver(latest) }
        }
    }

    /// A stream that holds the newest value for a reader that is slow, and ends with the transfer.
    func stream() -> AsyncStream<TransferProgress> {
        let (stream, continuation) = AsyncStream<TransferProgress>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let id = state.withLock { state -> Int? in
            if let latest = state.latest { continuation.yield(latest) }
            guard !state.isFinished else { return nil }
            state.nextStream += 1
            state.streams[state.nextStream] = continuation
            return state.nextStream
        }
        guard let id else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.streams.removeValue(forKey: id) }
        }
        return stream
    }

    /// Drops what is on its way to a queue, for a cancel there.
    func silence() { isSilenced.withLock { $0 = true } }

    /// Ends the streams and lets go of the handlers.
    func finish() {
        let (streams, handlers) = state.withLock { state in
            defer { (state.streams, state.handlers) = ([:], []) }
            state.isFinished = true
            return (state.streams, state.handlers)
        }
        for stream in streams.values { stream.finish() }
        _ = handlers
    }
}
