/// Stage 8: follows redirects by the library's policy, the same on every transport.
struct RedirectStage: Interceptor {
    let defaultPolicy: RedirectPolicy

    func intercept(_ exchange: Exchange, next: Next) async throws -> HTTPResponse {
        let policy = exchange.request.options.redirects ?? defaultPolicy
        var exchange = exchange
        var followed = 0
        while true {
            var response = try await next(exchange)
            if followed > 0 { response.editMetrics { $0.redirectCount = followed } }
            switch RedirectDecision.decide(
                request: exchange.request, response: response, policy: policy, followed: followed)
            {
            case .deliver:
                return response
            case .follow(let request):
                let leavesOrigin = Origin(request.url) != Origin(exchange.request.url)
                exchange.events?.send(.redirected(Event.Redirect(response: response, request: request)))
                exchange.request = request
                // A credential or signature that has left its origin stays away, even should a later hop come back.
                if leavesOrigin {
                    exchange.credentials = nil
                    exchange.request.options.signing = nil
                }
                followed += 1
            case .fail(let error):
                throw error
            }
        }
    }
}
