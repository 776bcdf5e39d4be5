/// Stage 5: gives requests their credential, and sends a request whose credential was refused again, once.
struct AuthenticationStage: Interceptor {
    let defaultAuthentication: (any Authentication)?
    /// The session's header fields, for the authentication's own requests.
    var headers: HTTPHeaders = [:]
    /// Who watches the authentication's own requests, if anybody.
    var observation: EventObservation?

    func intercept(_ exchange: Exchange, next: Next) async throws -> HTTPResponse {
        guard let credentials = credentials(for: exchange, next) else { return try await next(exchange) }
        var exchange = exchange
        exchange.credentials = credentials
        try await credentials.attempt.prepare()
        switch try await send(exchange, next, credentials.attempt) {
        case .answered(let response):
            return response
        case .refused(let attempts):
            if Task.isCancelled { throw HTTPError.cancelled }
            if let body = exchange.request.body, !body.isReplayable {
                throw HTTPError.bodyNotReplayable(reason: "the credential was refused and has been replaced meanwhile")
            }
            exchange.attempt += attempts
            exchange.events?.send(
                .retryScheduled(
                    Event.Retry(reason: .credentialRefused, delay: .zero, attempt: exchange.attempt)))
            var response = try await next(exchange)
            response.editMetrics { $0.retryCount += attempts }
            if isFromOrigin(response, of: exchange) { credentials.attempt.receive(response) }
            return response
        }
    }

    private enum Outcome {
        case answered(HTTPResponse)
        /// The credential was refused, in the last of so many attempts, and there is another now.
        case refused(attempts: Int)
    }

    /// Sends the request for the first time. A refused answer is let go of here, so that a body nobody reads does not hold
    /// a connection while the request is sent again.
    private func send(
        _ exchange: Exchange, _ next: Next, _ attempt: any AuthenticationAttempt
    ) async throws -> Outcome {
        let response = try await next(exchange)
        guard isFromOrigin(response, of: exchange) else { return .answered(response) }
        attempt.receive(response)
        guard try await attempt.shouldReplay(after: response) else { return .answered(response) }
        return .refused(attempts: 1 + (response.metrics?.retryCount ?? 0))
    }

    private func credentials(for exchange: Exchange, _ next: Next) -> ExchangeCredentials? {
        let request = exchange.request
        let authentication: any Authentication
        switch request.options.authentication {
        case .none: return nil
        case .use(let own): authentication = own
        case .inherit:
            guard let defaultAuthentication else { return nil }
            authentication = defaultAuthentication
        }
        let fields = authentication.credentialFields
        guard authentication.origins.contains(Origin(request.url)),
            !fields.contains(where: { request.headers.contains($0) })
        else { return nil }
        let sender = AuthenticationSender(
            next: next, headers: headers, timeouts: exchange.timeouts, events: exchange.events, observation: observation
        )
        return authentication.attempt(for: request, using: sender).map {
            ExchangeCredentials(attempt: $0, fields: fields)
        }
    }

    /// Whether the answer is one to the credential. What a redirect brought from another origin is not, since the credential
    /// did not go there; nor is what came from its own origin after that.
    private func isFromOrigin(_ response: HTTPResponse, of exchange: Exchange) -> Bool {
        guard case .network = response.source, Origin(response.request.url) == Origin(exchange.request.url) else {
            return false
        }
        return response.request.options.credentialFields != nil || (response.metrics?.redirectCount ?? 0) == 0
    }
}
