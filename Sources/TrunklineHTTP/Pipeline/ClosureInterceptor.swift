/// An interceptor made of a closure.
public struct ClosureInterceptor: Interceptor {
    private let body: @Sendable (Exchange, Next) async throws -> HTTPResponse

    /// Makes an interceptor that runs `body`.
    public init(_ body: @escaping @Sendable (Exchange, Next) async throws -> HTTPResponse) { self.body = body }

    public func intercept(_ exchange: Exchange, next: Next) async throws -> HTTPResponse {
        try await body(exchange, next)
    }
}
