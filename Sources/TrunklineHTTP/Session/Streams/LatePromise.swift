/// A value that comes later, once, for any number of tasks and handlers that wait for it.
final class LatePromise<Value: Sendable>: Sendable {
    typealias Outcome = Result<Value, HTTPError>

    private struct State {
        var outcome: Outcome?
        var handlers: [@Sendable (Outcome) -> Void] = []
    }

    private let state = Protected(State())

    /// The outcome, where it is known.
    var outcome: Outcome? { state.withLock { $0.outcome } }

    /// Gives the outcome; without effect the second time.
    func settle(_ outcome: Outcome) {
        let handlers = state.withLock { state -> [@Sendable (Outcome) -> Void] in
            guard state.outcome == nil else { return [] }
            state.outcome = outcome
            defer { state.handlers = [] }
            return state.handlers
        }
        for handler in handlers { handler(outcome) }
    }

    /// Calls `handler` with the outcome, at once where it is known, else on the thread that settles it, in the order they
    /// came.
    func whenSettled(_ handler: @escaping @Sendable (Outcome) -> Void) {
        let outcome = state.withLock { state -> Outcome? in
            if state.outcome == nil { state.handlers.append(handler) }
            return state.outcome
        }
        if let outcome { handler(outcome) }
    }

    /// Waits for the outcome, however long it takes; cancelling the task changes nothing.
    func wait() async -> Outcome {
        await withCheckedContinuation { continuation in
            whenSettled { continuation.resume(returning: $0) }
        }
    }

    /// Waits for the value. `onCancel` runs when the task is cancelled, and has to see to the outcome.
    func value(onCancel: @escaping @Sendable () -> Void) async throws(HTTPError) -> Value {
        let outcome = await withTaskCancellationHandler {
            await wait()
        } onCancel: {
            onCancel()
        }
        return try outcome.get()
    }
}
