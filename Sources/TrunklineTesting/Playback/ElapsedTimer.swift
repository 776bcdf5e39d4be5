import TrunklineHTTP

/// The time since it was made, on any clock, and waits until a point of it.
///
/// Waits are until a moment and not for a time, so that one step of a ``TestClock`` takes a whole body along.
struct ElapsedTimer: Sendable {
    private let read: @Sendable () -> Duration
    private let sleep: @Sendable (Duration) async throws -> Void

    init(_ clock: any Clock<Duration>) { self = ElapsedTimer.started(on: clock) }

    private init(
        read: @escaping @Sendable () -> Duration, sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.read = read
        self.sleep = sleep
    }

    private static func started<C: Clock<Duration>>(on clock: C) -> ElapsedTimer {
        let start = clock.now
        return ElapsedTimer(
            read: { start.duration(to: clock.now) },
            sleep: { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) })
    }

    /// The time that has passed.
    var elapsed: Duration { read() }

    /// Waits until so much time has passed. A wait longer than `idle` ends after that as a real transport's would.
    ///
    /// - Throws: `HTTPError.timedOut(_:)` with `.idle`, or `CancellationError`.
    func wait(until moment: Duration, idle: Duration?) async throws {
        try Task.checkCancellation()
        let now = elapsed
        guard moment > now else { return }
        if let idle, moment - now > idle {
            try await sleep(now + idle)
            throw HTTPError.timedOut(.idle)
        }
        try await sleep(moment)
    }

    /// Waits for ever: until the idle limit, or the cancellation of the task.
    func hang(idle: Duration?) async throws -> Never {
        if let idle {
            try await sleep(elapsed + idle)
            throw HTTPError.timedOut(.idle)
        }
        // Asked again and again, for clocks that can't add up an endless time.
        while true { try await sleep(elapsed + .seconds(86_400)) }
    }
}
