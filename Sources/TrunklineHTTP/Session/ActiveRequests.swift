/// The requests of one session that have not ended, by identity. Keeps each alive until its end.
final class ActiveRequests: Sendable {
    private struct State: Sendable {
        var requests: [RequestID: DataRequest] = [:]
        var isClosed = false
    }

    private let state = Protected(State())

    /// Takes the request in; false when the session is over, and the request must be refused.
    func insert(_ request: DataRequest) -> Bool {
        state.withLock { state in
            guard !state.isClosed else { return false }
            state.requests[request.id] = request
            return true
        }
    }

    func remove(_ id: RequestID) {
        // The removed object is released outside the lock, since its last release may run other code.
        _ = state.withLock { $0.requests.removeValue(forKey: id) }
    }

    func request(_ id: RequestID) -> DataRequest? {
        state.withLock { $0.requests[id] }
    }

    var all: [DataRequest] {
        state.withLock { Array($0.requests.values) }.sorted { $0.id < $1.id }
    }

    /// Refuses requests from now on and returns those in flight.
    func close() -> [DataRequest] {
        state.withLock { state in
            state.isClosed = true
            return Array(state.requests.values)
        }
    }
}
