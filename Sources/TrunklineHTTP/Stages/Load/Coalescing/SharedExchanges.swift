/// The exchanges of a session that requests share now.
final class SharedExchanges: Sendable {
    private let exchanges = Protected<[CoalescingKey: SharedExchange]>([:])

    /// The exchanges that can be joined.
    var count: Int { exchanges.withLock { $0.count } }

    /// The requests that wait for them.
    var subscriberCount: Int { exchanges.withLock { $0.values.reduce(0) { $0 + $1.subscriberCount } } }

    /// Joins the exchange in flight, or begins one.
    func response(to exchange: Exchange, key: CoalescingKey, next: Next) async throws -> HTTPResponse {
        // The exchange is everybody's, so one request's gate can't hold it; it holds what is that request's own.
        try await exchange.gate?.waitUntilOpen()
        if Task.isCancelled { throw HTTPError.cancelled }
        let (shared, id, waiter) = join(exchange, key: key, next: next)
        var response = try await waiter.value(onCancel: {
            if shared.leave(id) { self.remove(shared, key) }
        })
        response.request.adopt(exchange.request.options)
        try await exchange.gate?.waitUntilOpen()
        return response
    }

    private func join(
        _ exchange: Exchange, key: CoalescingKey, next: Next
    ) -> (SharedExchange, Int, Waiter<HTTPResponse>) {
        let (shared, subscription, isNew) = exchanges.withLock { exchanges in
            if let shared = exchanges[key], let subscription = shared.join(exchange) {
                return (shared, subscription, false)
            }
            let (shared, subscription) = SharedExchange.began(by: exchange)
            exchanges[key] = shared
            return (shared, subscription, true)
        }
        if isNew {
            run(shared, exchange, key: key, next: next)
        } else {
            exchange.events?.send(.coalesced(with: shared.id))
        }
        return (shared, subscription.id, subscription.waiter)
    }

    private func run(_ shared: SharedExchange, _ exchange: Exchange, key: CoalescingKey, next: Next) {
        var exchange = exchange
        exchange.timeouts = exchange.timeouts.withoutTotal
        exchange.timer = shared
        exchange.progress = shared.progress
        exchange.gate = nil
        // Detached: a task made here would inherit the first request's task-local values.
        let task = Task.detached(priority: Task.currentPriority) { [exchange] in
            let outcome: Result<HTTPResponse, any Error>
            do {
                outcome = .success(try await next(exchange))
            } catch {
                outcome = .failure(error)
            }
            // First out of the table, so that whoever comes after the end finds nothing to join.
            self.remove(shared, key)
            shared.end(outcome)
        }
        shared.begin(task)
    }

    private func remove(_ shared: SharedExchange, _ key: CoalescingKey) {
        // Another exchange may have taken its place. Released outside the lock.
        _ = exchanges.withLock { exchanges in
            exchanges[key] === shared ? exchanges.removeValue(forKey: key) : nil
        }
    }
}

extension HTTPRequest {
    /// Takes the options of the request that is answered, which say how its answer is judged.
    fileprivate mutating func adopt(_ options: RequestOptions) {
        let credentialFields = self.options.credentialFields
        self.options = options
        self.options.credentialFields = credentialFields
    }
}
