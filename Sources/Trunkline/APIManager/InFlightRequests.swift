/// The session's requests a manager waits for, reachable from its `deinit`.
final class InFlightRequests: Sendable {
    private let requests = Protected<[RequestID: DataRequest]>([:])
    private let debounce = Protected<Task<Void, Never>?>(nil)

    func insert(_ request: DataRequest) { requests.withLock { $0[request.id] = request } }

    func remove(_ id: RequestID) { requests.withLock { $0[id] = nil } }

    /// Puts a debounced load in the place of the one before.
    func replaceDebounce(_ task: Task<Void, Never>?) {
        let previous = debounce.withLock { current in
            defer { current = task }
            return current
        }
        previous?.cancel()
    }

    func cancelAll() {
        replaceDebounce(nil)
        for request in requests.withLock({ $0.values }) { request.cancel() }
    }
}
