/// Owner of a ``LimitsQueue``: lets requests wait for their place.
final class RequestLimiter: Sendable {
    private struct State: Sendable {
        var queue: LimitsQueue<Origin>
        var waiters: [UInt64: Waiter<Void>] = [:]
    }

    private let state: Protected<State>
    private let timeline: Timeline

    init(_ limits: RequestLimits, clock: some Clock<Duration>) {
        state = Protected(State(queue: LimitsQueue(limits)))
        timeline = Timeline(clock)
    }

    /// How many have a place and how many wait.
    var counts: (running: Int, waiting: Int) { state.withLock { ($0.queue.running, $0.queue.waiting) } }

    /// Whether it keeps nothing about anybody.
    var isEmpty: Bool { state.withLock { $0.queue.hostCount == 0 && $0.queue.running == 0 && $0.waiters.isEmpty } }

    /// A place, when one is free at once.
    func acquireNow(_ origin: Origin) -> LimitSlot? {
        state.withLock { $0.queue.admitNow(origin) } ? LimitSlot(self, origin) : nil
    }

    /// Waits for a place.
    ///
    /// - Parameter timer: the request's total limit, which rests during the wait.
    /// - Throws: ``HTTPError/cancelled`` as soon as the task is cancelled.
    func acquire(
        _ origin: Origin, priority: RequestPriority, timer: (any RequestTimer)?, events: EventReporter? = nil
    ) async throws -> LimitSlot {
        let waiting = state.withLock { state -> (UInt64, Waiter<Void>)? in
            guard case .queued(let ticket) = state.queue.admit(origin, priority: priority, now: timeline.now()) else {
                return nil
            }
            let waiter = Waiter<Void>()
            state.waiters[ticket] = waiter
            return (ticket, waiter)
        }
        guard let (ticket, waiter) = waiting else { return LimitSlot(self, origin) }
        timer?.pause()
        defer { timer?.resume() }
        try await events.waiting(for: .queue) { try await waiter.value(onCancel: { self.leave(ticket, origin) }) }
        return LimitSlot(self, origin)
    }

    /// Gives a place back, which goes to the next in the queue that still wants it.
    func release(_ origin: Origin) {
        var origin = origin
        while let (host, waiter) = next(after: origin) {
            if waiter.settle(.success(())) { return }
            // Cancelled at the same moment: its place goes on.
            origin = host
        }
    }

    private func next(after origin: Origin) -> (Origin, Waiter<Void>)? {
        state.withLock { state in
            guard let (host, ticket) = state.queue.release(origin) else { return nil }
            guard let waiter = state.waiters.removeValue(forKey: ticket) else { return nil }
            return (host, waiter)
        }
    }

    private func leave(_ ticket: UInt64, _ origin: Origin) {
        // Not in the queue any more: it was granted a place at the same moment, and the giver finds the wait ended.
        state.withLock { state in
            guard state.queue.cancel(ticket, of: origin) else { return }
            state.waiters[ticket] = nil
            if state.waiters.isEmpty { state.waiters = [:] }
        }
    }
}
