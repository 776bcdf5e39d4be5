/// An ``AuthTokenProvider`` made of a closure: `BearerTokenProvider { try await store.token() }`.
public struct BearerTokenProvider: AuthTokenProvider {
    private let token: @Sendable () async throws -> String

    /// Makes a provider.
    ///
    /// - Parameter token: gives the token; called once for each request that needs it.
    public init(_ token: @escaping @Sendable () async throws -> String) { self.token = token }

    /// `Authorization: Bearer` with the token (RFC 6750, section 2.1).
    public func requestAuthToken() async throws -> HTTPHeaders { [.bearer(try await token())] }
}
