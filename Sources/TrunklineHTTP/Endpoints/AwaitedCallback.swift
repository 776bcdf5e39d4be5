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
        let wait = AwaitedOutcome<Value, Failure>()
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard wait.begin(continuation) else { return }
                wait.attach(start { wait.end($0) })
            }
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
        var isCancelled = false
    }

    private let state = Protected(State())

    /// Takes the waiter; false, and the waiter resumed, when the wait is over already.
    func begin(_ waiter: Waiter) -> Bool {
        let outcome = state.withLock { state in
            if state.outcome == nil { state.waiter = waiter }
            return state.outcome
        }
        if let outcome { waiter.resume(returning: outcome) }
        return outcome == nil
    }

    /// Takes the handle, and cancels it where the cancel came before it.
    func attach(_ handle: RequestHandle) {
        let isCancelled = state.withLock { state in
            state.handle = handle
            return state.isCancelled
        }
        if isCancelled { handle.cancel() }
    }

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
        let handle = state.withLock { state in
            state.isCancelled = true
            return state.handle
        }
        handle?.cancel()
        end(outcome)
    }
}
