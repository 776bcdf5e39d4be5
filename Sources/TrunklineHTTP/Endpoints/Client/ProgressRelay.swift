/// Brings progress from a transport's thread to the main actor: in order, the newest value only where the main actor is
/// busy, and nothing once it is closed.
final class ProgressRelay: Sendable {
    typealias Handler = @MainActor (TransferProgress) -> Void

    private struct State: Sendable {
        var pending: TransferProgress?
        var isScheduled = false
        /// Nil once closed.
        var handler: Handler?
    }

    private let state: Protected<State>

    init(_ handler: Handler?) { state = Protected(State(handler: handler)) }

    /// Takes a value, on any thread.
    func report(_ progress: TransferProgress) {
        let schedules = state.withLock { state in
            guard state.handler != nil else { return false }
            state.pending = progress
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        if schedules { Task { @MainActor in deliver() } }
    }

    /// Delivers the newest value, if there is one that was not delivered.
    @MainActor func deliver() {
        let (pending, handler) = state.withLock { state in
            defer {
                state.pending = nil
                state.isScheduled = false
            }
            return (state.pending, state.handler)
        }
        if let pending { handler?(pending) }
    }

    /// From now on nothing is delivered.
    func close() {
        // Released outside the lock, since the last release may run other code.
        _ = state.withLock { state in
            defer { state.handler = nil }
            return state.handler
        }
    }
}
