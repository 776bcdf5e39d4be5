/// Owner of the buckets of one ``RateLimit`` and of the requests that wait for their tokens.
final class RateLimiter: Sendable {
    /// The requests that wait for a bucket, by order of arrival; a cancelled one leaves no trace.
    private struct Line: Sendable {
        var bucket: TokenBucket
        var waiters: [UInt64: Waiter<Void>] = [:]
        var order = KeyedHeap<UInt64, UInt64>()
        /// Hands the tokens out while anybody waits.
        var pump: Task<Void, Never>?
    }

    private struct State: Sendable {
        var lines: [Origin?: Line] = [:]
        var lastTicket: UInt64 = 0
        /// The number of lines at which unused ones are dropped.
        var crowd = 256
    }

    private let limit: RateLimit
    private let timeline: Timeline
    private let state = Protected(State())

    init(_ limit: RateLimit, clock: some Clock<Duration>) {
        self.limit = limit
        timeline = Timeline(clock)
    }

    /// How many wait.
    var waiting: Int { state.withLock { $0.lines.values.reduce(0) { $0 + $1.order.count } } }

    /// The number of buckets in use.
    var bucketCount: Int { state.withLock { $0.lines.count } }

    /// Takes a token, when one is there and nobody waits for it.
    func takeNow(_ origin: Origin) -> Bool {
        let now = timeline.now()
        return edit(origin, now: now) { line in line.order.isEmpty && line.bucket.take(now: now) }
    }

    /// Waits for a token.
    ///
    /// - Throws: ``HTTPError/rateLimited(host:wait:)`` at once, when the wait would be too long;
    ///   ``HTTPError/cancelled`` as soon as the task is cancelled.
    func take(_ origin: Origin, timer: (any RequestTimer)?, events: EventReporter? = nil) async throws {
        let now = timeline.now()
        enum Admission { case granted, refused(Duration), queued(UInt64, Waiter<Void>) }
        let ticket = state.withLock { state in
            state.lastTicket += 1
            return state.lastTicket
        }
        let admission = edit(origin, now: now) { line -> Admission in
            if line.order.isEmpty, line.bucket.take(now: now) { return .granted }
            let wait = line.bucket.wait(now: now, behind: line.order.count)
            if let longest = limit.maximumWait, wait > longest { return .refused(wait) }
            let waiter = Waiter<Void>()
            line.waiters[ticket] = waiter
            line.order.set(ticket, rank: ticket)
            if line.pump == nil { line.pump = pump(key(origin)) }
            return .queued(ticket, waiter)
        }
        switch admission {
        case .granted:
            return
        case .refused(let wait):
            throw HTTPError.rateLimited(host: origin.host, wait: wait)
        case .queued(let ticket, let waiter):
            timer?.pause()
            defer { timer?.resume() }
            try await events.waiting(for: .rateLimit) {
                try await waiter.value(onCancel: { self.leave(ticket, origin) })
            }
        }
    }

    private func key(_ origin: Origin) -> Origin? { limit.scope == .host ? origin : nil }

    private func edit<Value>(_ origin: Origin, now: Duration, _ change: (inout Line) -> Value) -> Value {
        state.withLock { state in
            if state.lines.count >= state.crowd {
                // A full bucket nobody waits for is as good as a new one.
                state.lines = state.lines.filter { !$0.value.order.isEmpty || !$0.value.bucket.isFull(now: now) }
                state.crowd = max(256, 2 * state.lines.count)
            }
            return change(&state.lines[key(origin), default: Line(bucket: TokenBucket(limit, now: now))])
        }
    }

    private func leave(_ ticket: UInt64, _ origin: Origin) {
        state.withLock { state in
            guard state.lines[key(origin)]?.order.remove(ticket) == true else { return }
            state.lines[key(origin)]?.waiters[ticket] = nil
            guard state.lines[key(origin)]?.order.isEmpty == true else { return }
            // Nobody waits any more: the task that slept for them has nothing to do.
            state.lines[key(origin)]?.pump?.cancel()
            state.lines[key(origin)]?.pump = nil
            state.lines[key(origin)]?.waiters = [:]
        }
    }

    // MARK: - The one task of a line

    private enum Step: Sendable {
        case wait(Duration)
        case serve(Waiter<Void>)
        case end
    }

    private func pump(_ key: Origin?) -> Task<Void, Never> {
        Task.detached { [self] in
            while !Task.isCancelled {
                switch step(key) {
                case .wait(let duration): try? await timeline.sleep(for: duration)
                case .serve(let waiter): waiter.settle(.success(()))
                case .end: return
                }
            }
        }
    }

    private func step(_ key: Origin?) -> Step {
        let now = timeline.now()
        return state.withLock { state in
            // A cancelled pump may have a successor already, whose line it must not touch.
            guard !Task.isCancelled, let line = state.lines[key] else { return .end }
            guard let first = line.order.first?.key, let waiter = line.waiters[first] else {
                state.lines[key]?.pump = nil
                return .end
            }
            guard state.lines[key]?.bucket.take(now: now) == true else { return .wait(line.bucket.wait(now: now)) }
            state.lines[key]?.order.remove(first)
            state.lines[key]?.waiters[first] = nil
            return .serve(waiter)
        }
    }
}
