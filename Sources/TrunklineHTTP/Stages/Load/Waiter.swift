/// One suspended caller, resumed exactly once: by whoever settles it first, or by its own task's cancellation.
final class Waiter<Value: Sendable>: Sendable {
    private enum State: Sendable {
        case fresh
        case waiting(CheckedContinuation<Value, any Error>)
        case settled(Result<Value, any Error>)
    }

    private let state = Protected(State.fresh)

    /// Ends the wait. False when it has ended already, and the result went nowhere: what was granted has to be given
    /// back.
    @discardableResult
    func settle(_ result: Result<Value, any Error>) -> Bool {
        let (isFirst, continuation) = state.withLock { state in
            switch state {
            case .fresh:
                state = .settled(result)
                return (true, CheckedContinuation<Value, any Error>?.none)
            case .waiting(let continuation):
                state = .settled(result)
                return (true, continuation)
            case .settled:
                return (false, nil)
            }
        }
        continuation?.resume(with: result)
        return isFirst
    }

    /// Waits, once. When the task is cancelled it ends at once with ``HTTPError/cancelled``.
    ///
    /// - Parameter onCancel: called when the cancellation ended the wait, and nothing else did.
    func value(onCancel: @escaping @Sendable () -> Void) async throws -> Value {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result = state.withLock { state -> Result<Value, any Error>? in
                    if case .settled(let result) = state { return result }
                    state = .waiting(continuation)
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            if settle(.failure(HTTPError.cancelled)) { onCancel() }
        }
    }
}
