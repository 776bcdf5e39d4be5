/// Sends a session's cookies and takes new ones in, on every hop of a redirect: it stands inside the redirect stage. A
/// `Cookie` field of the caller's own is left as it is.
struct CookieStage: Interceptor {
    let store: CookieStore

    func intercept(_ exchange: Exchange, next: Next) async throws -> HTTPResponse {
        var exchange = exchange
        let url = exchange.request.url
        if !exchange.request.headers.contains("Cookie"), let header = store.header(for: url) {
            exchange.request.headers.set("Cookie", header)
        }
        let response = try await next(exchange)
        store.store(response.headers, from: url)
        return response
    }
}
