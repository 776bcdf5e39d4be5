/// Signs the requests of a service, when nothing about them changes any more.
///
/// ```swift
/// override var signing: RequestSigning? {
///     RequestSigning { request, keys in
///         let text = request.method.rawValue + request.url.absoluteString + hash(request.body?.data)
///         request.headers["X-Signature"] = hmac(text, key: keys.privateKey)
///     }
/// }
/// ```
///
/// The closure runs after every interceptor, off the main actor, once for each load that is sent, and sees the URL, header
/// fields and body bytes that go out. It may change the request, usually by a header field or a query parameter. What it
/// throws ends the load. Retries send the same signed request. What the stages below
/// add, a credential of `Authentication`, cookies, framing fields, comes after it.
///
/// A body that is not in memory, a file or a stream, can't be signed: its load ends with `.requestError`
/// (`HTTPError.invalidRequest`), and nothing is sent.
public struct RequestSigning: Sendable {
    /// Signs a request with the keys of the environment it was made in.
    public typealias Sign = @Sendable (_ request: inout HTTPRequest, _ keys: ServiceKeys) async throws -> Void

    private let sign: Sign

    /// Makes a signing of a closure.
    public init(_ sign: @escaping Sign) { self.sign = sign }

    /// The stage that signs.
    func interceptor(keys: ServiceKeys) -> any Interceptor {
        ClosureInterceptor { [sign] exchange, next in
            var exchange = exchange
            if let body = exchange.request.body, body.data == nil {
                throw HTTPError.invalidRequest(
                    .body(reason: "the service signs its requests, which takes a body in memory; use RequestBody.data"))
            }
            try await sign(&exchange.request, keys)
            return try await next(exchange)
        }
    }
}
