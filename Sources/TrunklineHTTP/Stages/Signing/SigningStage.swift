/// Puts the signature on each request that goes out. It is the last stage, inside retries and redirects: every attempt and
/// hop has a signature of its own, and the redirect stage never sees one that it could carry to another origin.
struct SigningStage: Interceptor {
    func intercept(_ exchange: Exchange, next: Next) async throws -> HTTPResponse {
        guard let signer = exchange.request.options.signing else { return try await next(exchange) }
        var exchange = exchange
        try await signer.sign(&exchange.request)
        return try await next(exchange)
    }
}
