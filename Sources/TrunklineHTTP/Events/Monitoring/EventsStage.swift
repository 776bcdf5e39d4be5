/// Stage 1: tells when an exchange enters the pipeline and what it leaves it with.
struct EventsStage: Interceptor {
    func intercept(_ exchange: Exchange, next: Next) async throws -> HTTPResponse {
        guard let events = exchange.events, events.isHeard else { return try await next(exchange) }
        let token = events.begin(.exchangeStarted(exchange.request)) { [.exchangeEnded(.failure($0))] }
        do {
            let response = try await next(exchange)
            events.end(token, [.exchangeEnded(.success(response))])
            return response
        } catch {
            events.end(token, [.exchangeEnded(.failure(HTTPError(error)))])
            throw error
        }
    }
}
