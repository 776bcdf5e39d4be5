/// Decides once whether a run ended by itself or by a cancel.
final class GroupEnding<Output: Sendable>: Sendable {
    private struct State: Sendable {
        var isCancelled = false
        var settled: Output?
    }

    private let state = Protected(State())
    private let whenCancelled: @Sendable (Output) -> Output

    init(whenCancelled: @escaping @Sendable (Output) -> Output) { self.whenCancelled = whenCancelled }

    func cancel() {
        state.withLock { if $0.settled == nil { $0.isCancelled = true } }
    }

    /// The output everybody gets: what the first call made of it.
    func settle(_ output: Output) -> Output {
        state.withLock { state in
            if let settled = state.settled { return settled }
            let settled = state.isCancelled ? whenCancelled(output) : output
            state.settled = settled
            return settled
        }
    }
}
