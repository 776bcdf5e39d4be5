/// What the requests of one session ask about at the same time: an entry is asked about once, whoever wants it.
///
/// A request that has to ask about a stale entry while another one does waits for that one and then looks into the store
/// again. Refreshes in the background run in tasks of their own, once for each entry; they outlive the request that began them
/// and end with the session.
package final class CacheFlights: Sendable {
    /// What a request that wants to ask about an entry does.
    enum Role: Sendable {
        /// It asks, and calls ``leave(_:succeeded:)`` afterwards.
        case leads
        /// Another one has asked meanwhile.
        case followed
    }

    private struct State: Sendable {
        var isClosed = false
        /// Who waits for the one who asks; a key is there while somebody does.
        var flights: [CacheKey: [Waiter<Role>]] = [:]
        var refreshes: [CacheKey: Task<Void, Never>] = [:]
    }

    private let state = Protected(State())

    package init() {}

    /// Becomes the one who asks, or waits for the one who does.
    ///
    /// - Throws: ``HTTPError/cancelled`` when the waiting task is cancelled.
    func enter(_ key: CacheKey) async throws -> Role {
        let waiter = state.withLock { state -> Waiter<Role>? in
            guard state.flights[key] != nil else {
                state.flights[key] = []
                return nil
            }
            let waiter = Waiter<Role>()
            state.flights[key]?.append(waiter)
            return waiter
        }
        guard let waiter else { return .leads }
        return try await waiter.value { [self] in
            state.withLock { $0.flights[key]?.removeAll { $0 === waiter } }
        }
    }

    /// Ends the asking. After a success all who wait go on; after a failure the first of them asks in its turn.
    func leave(_ key: CacheKey, succeeded: Bool) {
        if succeeded {
            for waiter in state.withLock({ $0.flights.removeValue(forKey: key) }) ?? [] {
                waiter.settle(.success(.followed))
            }
            return
        }
        while true {
            let next = state.withLock { state -> Waiter<Role>? in
                guard let first = state.flights[key]?.first else {
                    state.flights[key] = nil
                    return nil
                }
                state.flights[key]?.removeFirst()
                return first
            }
            // One that was cancelled at the same time hands on.
            guard let next, !next.settle(.success(.leads)) else { return }
        }
    }

    /// Runs the work in the background, unless it runs for the key already or the session is over.
    func refresh(_ key: CacheKey, _ work: @escaping @Sendable () async -> Void) {
        state.withLock { state in
            guard !state.isClosed, state.refreshes[key] == nil else { return }
            state.refreshes[key] = Task.detached(priority: .utility) { [self] in
                await work()
                _ = self.state.withLock { $0.refreshes.removeValue(forKey: key) }
            }
        }
    }

    /// How many refreshes run.
    var refreshCount: Int { state.withLock { $0.refreshes.count } }

    /// Cancels the refreshes and begins no more.
    func close() {
        let tasks = state.withLock { state in
            state.isClosed = true
            return Array(state.refreshes.values)
        }
        for task in tasks { task.cancel() }
    }
}
