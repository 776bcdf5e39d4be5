/// The same loads, awaited or with a closure. The delegate, validator and interceptors take part as ever; a callback
/// that is kept from the delegate still ends the wait.
extension BaseAPIManager {
    /// Loads and waits. Cancelling the waiting task cancels the load.
    ///
    /// The manager stays alive until the load has ended.
    ///
    /// - Returns: the answer the validator accepted.
    /// - Throws: ``APIError``; `.cancelled` when the waiting task was cancelled.
    @discardableResult
    public func load() async throws(APIError) -> APIResponse {
        try await awaitLoad(awaitedPlan())
    }

    /// Loads, then calls `completion` once on the main actor. The manager stays alive until then.
    ///
    /// - Returns: the load's identity; nil when nothing was sent, in which case the completion hears why.
    @discardableResult
    public func load(_ completion: @escaping @MainActor (Result<APIResponse, APIError>) -> Void) -> RequestID? {
        beginLoad(awaitedPlan()) { result in
            completion(result.outcome)
            withExtendedLifetime(self) {}
        }
    }

    func awaitLoad(_ plan: APILoadPlan) async throws(APIError) -> APIResponse {
        try await awaitResult(plan).outcome.get()
    }

    func awaitResult(_ plan: APILoadPlan) async -> APILoadResult {
        let waiting = WaitingLoad()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<APILoadResult, Never>) in
                waiting.id = beginLoad(plan) { continuation.resume(returning: $0) }
                if Task.isCancelled, let id = waiting.id { cancelRequest(id) }
            }
        } onCancel: {
            Task { @MainActor in
                if let id = waiting.id { self.cancelRequest(id) }
            }
        }
    }
}

/// Carries the identity of an awaited load to the cancellation handler.
@MainActor
private final class WaitingLoad {
    var id: RequestID?

    nonisolated init() {}
}
