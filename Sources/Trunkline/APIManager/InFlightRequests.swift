/// The session's requests a manager waits for, reachable from its `deinit`.
final class InFlightRequests: Sendable {
    private let requests = Protected<[RequestID: DataRequest]>([:])

    func insert(_ request: DataRequest) { requests.withLock { $0[request.id] = request } }

    func remove(_ id: RequestID) { requests.withLock { $0[id] = nil } }

    func cancelAll() {
        for request in requests.withLock({ $0.values }) { request.cancel() }
    }
}
