/// Refuses a request at once while its host's circuit is open, before it waits for anything.
struct CircuitGateStage: Interceptor {
    let breaker: CircuitBreaker

    func intercept(_ exchange: Exchange, next: Next) async throws -> HTTPResponse {
        try breaker.check(Origin(exchange.request.url))
        return try await next(exchange)
    }
}

/// Asks the circuit again right before sending, since it may have opened while the request waited, and reports how the
/// exchange went.
struct CircuitStage: Interceptor {
    let breaker: CircuitBreaker

    func intercept(_ exchange: Exchange, next: Next) async throws -> HTTPResponse {
        let origin = Origin(exchange.request.url)
        let generation = try breaker.enter(origin)
        let outcome: Result<HTTPResponse, any Error>
        do {
            outcome = .success(try await next(exchange))
        } catch {
            outcome = .failure(error)
        }
        breaker.leave(origin, generation: generation, CircuitMachine.Outcome(outcome))
        return try outcome.get()
    }
}
