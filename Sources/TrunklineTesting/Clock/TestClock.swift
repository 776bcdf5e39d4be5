import TrunklineHTTP

/// A clock that moves only when the test says so: hand it to a session, a stage or a policy, and delays of hours pass at
/// once.
///
///     let clock = TestClock()
///     let load = Task { try await session.send(request) }   // fails, and waits two seconds before the retry
///     await clock.waitForSleepers()
///     clock.advance(by: .seconds(2))
///
/// Sleepers are woken in the order of their deadlines, those of one deadline in the order they came. All members may be
/// used from any thread.
public final class TestClock: Clock, Sendable {
    /// A moment of a ``TestClock``: the time since it was made.
    public struct Instant: InstantProtocol {
        /// The time since the clock was made.
        public let offset: Duration

        /// The moment this long after the clock was made.
        public init(offset: Duration) { self.offset = offset }

        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        public func duration(to other: Instant) -> Duration { other.offset - offset }
        public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct Sleeper {
        let id: Int
        let deadline: Instant
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct Watcher {
        let count: Int
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var now = Instant(offset: .zero)
        var lastID = 0
        var sleepers: [Sleeper] = []
        var cancelled: Set<Int> = []
        var watchers: [Watcher] = []

        mutating func readyWatchers() -> [Watcher] {
            let ready = watchers.filter { $0.count <= sleepers.count }
            watchers.removeAll { $0.count <= sleepers.count }
            return ready
        }
    }

    private let state = Protected(State())

    /// A clock at zero.
    public init() {}

    public var now: Instant { state.withLock { $0.now } }
    public var minimumResolution: Duration { .zero }

    /// The number of tasks that sleep now.
    public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    /// Sleeps until the clock was moved to `deadline` or past it.
    ///
    /// - Throws: `CancellationError` when the task is cancelled, at once.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { add(Sleeper(id: id, deadline: deadline, continuation: $0)) }
        } onCancel: {
            cancel(id)
        }
    }

    /// Moves the clock on and wakes whoever slept until then.
    public func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let now = state.now
            let due = state.sleepers.filter { $0.deadline <= now }.sorted {
                ($0.deadline, $0.id) < ($1.deadline, $1.id)
            }
            state.sleepers.removeAll { $0.deadline <= now }
            return due
        }
        for sleeper in due { sleeper.continuation.resume() }
    }

    /// Waits until at least this many tasks sleep: the moment to move the clock.
    public func waitForSleepers(_ count: Int = 1) async {
        await withCheckedContinuation { continuation in
            let ready = state.withLock { state in
                state.watchers.append(Watcher(count: count, continuation: continuation))
                return state.readyWatchers()
            }
            for watcher in ready { watcher.continuation.resume() }
        }
    }

    private func add(_ sleeper: Sleeper) {
        enum Fate { case sleeps([Watcher]), isDue, wasCancelled }
        let fate: Fate = state.withLock { state in
            if state.cancelled.remove(sleeper.id) != nil { return .wasCancelled }
            if sleeper.deadline <= state.now { return .isDue }
            state.sleepers.append(sleeper)
            return .sleeps(state.readyWatchers())
        }
        switch fate {
        case .sleeps(let watchers): for watcher in watchers { watcher.continuation.resume() }
        case .isDue: sleeper.continuation.resume()
        case .wasCancelled: sleeper.continuation.resume(throwing: CancellationError())
        }
    }

    private func cancel(_ id: Int) {
        let sleeper = state.withLock { state -> Sleeper? in
            guard let index = state.sleepers.firstIndex(where: { $0.id == id }) else {
                // It has not got as far as to sleep, or was woken already; ids are not used again.
                state.cancelled.insert(id)
                return nil
            }
            return state.sleepers.remove(at: index)
        }
        sleeper?.continuation.resume(throwing: CancellationError())
    }
}
