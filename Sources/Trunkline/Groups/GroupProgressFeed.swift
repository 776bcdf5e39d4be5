/// Passes the progress of one run on: to the closure it was given, and to any number of streams.
final class GroupProgressFeed: Sendable {
    private let current: Protected<GroupProgress>
    private let feed = Broadcast<GroupProgress>(.bufferingNewest(1))
    private let listener: (@Sendable (GroupProgress) -> Void)?

    init(total: Int, listener: (@Sendable (GroupProgress) -> Void)? = nil) {
        current = Protected(GroupProgress(completed: 0, total: total))
        self.listener = listener
    }

    var progress: GroupProgress { current.current }

    /// Only the runner calls this, one call after the other, so the listener hears in order.
    func update(completed: Int) {
        let news = current.withLock { progress -> GroupProgress? in
            guard completed > progress.completed else { return nil }
            progress = GroupProgress(completed: completed, total: progress.total)
            // Under the lock, so that a new stream begins with what it then hears on from.
            feed.send(progress)
            return progress
        }
        if let news { listener?(news) }
    }

    func finish() { feed.finish() }

    /// The progress now, then every newer one; a slow reader gets the newest. Ends with the run.
    func stream() -> AsyncStream<GroupProgress> { current.withLock { feed.stream(from: $0) } }
}
