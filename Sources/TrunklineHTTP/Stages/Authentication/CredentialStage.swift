/// Puts the credential on each request that goes out. It stands inside the redirect stage, which so never sees a
/// credential of the authentication stage's and can't carry it to another origin.
struct CredentialStage: Interceptor {
    func intercept(_ exchange: Exchange, next: Next) async throws -> HTTPResponse {
        guard let credentials = exchange.credentials else { return try await next(exchange) }
        var exchange = exchange
        try credentials.attempt.apply(to: &exchange.request)
        exchange.request.options.credentialFields = credentials.fields
        return try await next(exchange)
    }
}
