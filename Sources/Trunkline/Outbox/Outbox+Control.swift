extension Outbox {
    /// Begins to send: call it once at launch. Without effect when it was called.
    public func start() {
        guard !queue.isStarted, !queue.isClosed else { return }
        queue.isStarted = true
        if let reachability {
            watcher = Task { [weak self] in
                // Listened to before it is asked, so that no change is missed in between.
                let changes = reachability.changes
                let isReachable = await reachability.isReachable
                await self?.setReachable(isReachable)
                for await isReachable in changes { await self?.setReachable(isReachable) }
            }
        }
        wake()
    }

    /// Starts no further attempt; one that is under way ends. Entries are still taken.
    public func pause() { queue.isPaused = true }

    /// Goes on after ``pause()``.
    public func resume() {
        queue.isPaused = false
        wake()
    }

    /// Takes an entry out. One that is being sent is cancelled; the server may have got it.
    ///
    /// - Returns: false when it had ended already.
    /// - Throws: ``OutboxError/file(_:reason:)`` when the disk keeps it; it stays in the outbox then.
    @discardableResult
    public func cancel(_ ticket: OutboxTicket) throws(OutboxError) -> Bool {
        guard let store else { throw .closed }
        guard let item = queue.item(ticket) else { return false }
        try store.remove(item.record.sequence)
        _ = queue.remove(ticket)
        sending[item.id]?.cancel()
        feed.send(.cancelled(item.entry))
        wake()
        return true
    }

    /// Sends entries that were parked again.
    ///
    /// - Parameter lane: by default every lane.
    public func retryFailed(lane: String? = nil) {
        queue.unpark(lane)
        wake()
    }

    /// Stops sending, cancels what is under way, and frees the directory for another outbox. Nothing is lost: entries stay
    /// on the disk.
    public func close() async {
        queue.isClosed = true
        watcher?.cancel()
        for task in sending.values { task.cancel() }
        let running = workers.values
        for worker in running { worker.cancel() }
        for worker in running { await worker.value }
        store = nil
        feed.finish()
    }

    func setReachable(_ isReachable: Bool) {
        if queue.setReachable(isReachable) {
            for pause in pauses.values { pause.cancel() }
        }
        wake()
    }
}
