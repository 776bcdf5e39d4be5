import Foundation

/// A limit on the time something takes, which stands still while it is paused.
///
/// It runs on Dispatch and not as a task, so that no code that blocks the tasks' threads can hold it up.
final class PausableTimer: RequestTimer {
    private struct State {
        var remaining: Duration
        var startedAt: ContinuousClock.Instant?
        var expire: (@Sendable () -> Void)?
        /// Pauses may overlap, a caller's and a queue's, and of two threads the end of one may come before its start.
        var pauses = 0
        /// Counts the runs: a timer of an earlier one that fires late is told by it.
        var run = 0

        var shouldRun: Bool { expire != nil && pauses <= 0 }
    }

    private let state: Protected<State>

    /// A timer that has not started.
    init(limit: Duration) { state = Protected(State(remaining: limit)) }

    /// Lets the time run, unless a pause is on.
    ///
    /// - Parameter expire: called once when it has run out, on a queue of Dispatch's; not after ``stop()``.
    func start(_ expire: @escaping @Sendable () -> Void) {
        change { $0.expire = expire }
    }

    /// Lets the time stand still until there was a ``resume()`` for each pause.
    func pause() { change { $0.pauses += 1 } }

    /// Ends one pause.
    func resume() { change { $0.pauses -= 1 } }

    /// Ends the timer.
    func stop() { change { $0.expire = nil } }

    private func change(_ change: (inout State) -> Void) {
        state.withLock { state in
            change(&state)
            if state.shouldRun, state.startedAt == nil {
                state.startedAt = .now
                state.run += 1
                let run = state.run
                DispatchQueue.global().asyncAfter(deadline: .now() + max(0, state.remaining.seconds)) { [weak self] in
                    self?.fire(run)
                }
            } else if !state.shouldRun, let startedAt = state.startedAt {
                state.remaining -= ContinuousClock.now - startedAt
                state.startedAt = nil
            }
        }
    }

    private func fire(_ run: Int) {
        let expire = state.withLock { state -> (@Sendable () -> Void)? in
            // A pause that came between the timer and the lock wins; so does one that has ended since.
            guard run == state.run, let startedAt = state.startedAt else { return nil }
            state.remaining -= ContinuousClock.now - startedAt
            state.startedAt = nil
            // The clocks of the timer and of the count may differ a little.
            guard state.remaining <= .milliseconds(1) else { return nil }
            defer { state.expire = nil }
            return state.expire
        }
        if let expire { expire() } else { change { _ in } }
    }
}
