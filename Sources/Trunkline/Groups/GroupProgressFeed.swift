/// Passes the progress of one run on: to the closure it was given, and to any number of streams.
final class GroupProgressFeed: Sendable {
    private struct State: Sendable {
        var progress: GroupProgress
        var hasEnded = false
        var streams: [Int: AsyncStream<GroupProgress>.Continuation] = [:]
        var lastID = 0
    }

    private let state: Protected<State>
    private let listener: (@Sendable (GroupProgress) -> Void)?

    init(total: Int, listener: (@Sendable (GroupProgress) -> Void)? = nil) {
        state = Protected(State(progress: GroupProgress(completed: 0, total: total)))
        self.listener = listener
    }

    var progress: GroupProgress { state.withLock { $0.progress } }

    /// Only the runner calls this, one call after the other, so the listener hears in order.
    func update(completed: Int) {
        let news = state.withLock { state -> GroupProgress? in
            guard completed > state.progress.completed else { return nil }
            state.progress = GroupProgress(completed: completed, total: state.progress.total)
            // Under the lock, so that streams hear in order too; a yield calls nobody back.
            for stream in state.streams.values { stream.yield(state.progress) }
            return state.progress
        }
        if let news { listener?(news) }
    }

    func finish() {
        let streams = state.withLock { state in
            state.hasEnded = true
            defer { state.streams = [:] }
            return Array(state.streams.values)
        }
        // Outside: it calls `onTermination`, which takes the lock.
        for stream in streams { stream.finish() }
    }

    /// The progress now, then every newer one; a slow reader gets the newest. Ends with the run.
    func stream() -> AsyncStream<GroupProgress> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: GroupProgress.self, bufferingPolicy: .bufferingNewest(1))
        let id = state.withLock { state -> Int? in
            continuation.yield(state.progress)
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
}
