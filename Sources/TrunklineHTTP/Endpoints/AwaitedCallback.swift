/// Turns a call with a completion and a handle into one that is awaited.
enum AwaitedCallback {
    /// Calls `start` and waits for its completion.
    ///
    /// Resumes exactly once, whatever `start` does with its completion: later calls of it are dropped, and a cancel of the
    /// waiting task ends the wait at once even where the completion never comes. A task that is cancelled already starts
    /// nothing.
    ///
    /// - Parameters:
    ///   - cancelled: what a cancel throws.
    ///   - start: called once, on the caller's actor.
    static func value<Value: Sendable, Failure: Error>(
        cancelled: Failure, isolation: isolated (any Actor)? = #isolation,
        _ start: (@escaping @Sendable (Result<Value, Failure>) -> Void) -> RequestHandle
    ) async throws(Failure) -> Value {
        if Task.isCancelled { throw cancelled }
        let wait = AwaitedOutcome<Value, Failure>()
        // Here and not in the closures below, which don't run on the caller's actor.
        wait.attach(start { wait.end($0) })
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { wait.begin($0) }
        } onCancel: {
            wait.cancel(.failure(cancelled))
        }
        return try outcome.get()
    }
}

/// The state of one such wait.
private final class AwaitedOutcome<Value: Sendable, Failure: Error>: Sendable {
    typealias Outcome = Result<Value, Failure>
    typealias Waiter = CheckedContinuation<Outcome, Never>

    private struct State: Sendable {
        var waiter: Waiter?
        var outcome: Outcome?
        var handle: RequestHandle?
    }

    private let state = Protected(State())

    /// Takes the waiter, and resumes it where the wait is over already.
    func begin(_ waiter: Waiter) {
        let outcome = state.withLock { state in
            if state.outcome == nil { state.waiter = waiter }
            return state.outcome
        }
        if let outcome { waiter.resume(returning: outcome) }
    }

    /// Takes the handle, before the wait begins.
    func attach(_ handle: RequestHandle) { state.withLock { $0.handle = handle } }

    func end(_ outcome: Outcome) {
        let waiter = state.withLock { state -> Waiter? in
            guard state.outcome == nil else { return nil }
            state.outcome = outcome
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(returning: outcome)
    }

    func cancel(_ outcome: Outcome) {
        state.withLock { $0.handle }?.cancel()
        end(outcome)
    }
}
