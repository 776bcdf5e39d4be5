/// One call of a client, from the call to its completion. It ends once: by its work, or by a cancel, whichever is first.
final class ClientTask: Sendable {
    private struct State: Sendable {
        var isCancelled = false
        var work: Task<Void, Never>?
        /// Holds the client and the completion; let go of at the end, since the caller may keep the handle.
        var onCancel: (@Sendable (ClientTask) -> Void)?
    }

    let task: RunningTask
    let progress: ProgressRelay
    private let state: Protected<State>
    @MainActor private var waiters: [CheckedContinuation<Void, Never>] = []
    @MainActor private var hasEnded = false

    /// - Parameter onCancel: called for each cancel, on the caller's thread.
    init(task: RunningTask, progress: ProgressRelay, onCancel: @escaping @Sendable (ClientTask) -> Void) {
        self.task = task
        self.progress = progress
        state = Protected(State(onCancel: onCancel))
    }

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Takes the work, and cancels it where the cancel came first.
    func attach(_ work: Task<Void, Never>) {
        let isCancelled = state.withLock { state in
            state.work = work
            return state.isCancelled
        }
        if isCancelled { work.cancel() }
    }

    func cancel() {
        progress.close()
        let (work, onCancel) = state.withLock { state in
            state.isCancelled = true
            return (state.work, state.onCancel)
        }
        work?.cancel()
        onCancel?(self)
    }

    /// Returns when the completion has run.
    @MainActor func waitForEnd() async {
        guard !hasEnded else { return }
        await withCheckedContinuation { waiters.append($0) }
    }

    /// The completion has run.
    @MainActor func signalEnd() {
        hasEnded = true
        // Released outside the lock, since the last release may run other code.
        _ = state.withLock { state in
            defer {
                state.onCancel = nil
                state.work = nil
            }
            return state.onCancel
        }
        let waiting = waiters
        waiters = []
        for waiter in waiting { waiter.resume() }
    }
}
