/// Bearer tokens (RFC 6750) that come from elsewhere: one that never changes, or those of a closure that has its own cache
/// and refresh, an SDK's for example. For tokens that the library is to refresh, use ``RefreshingAuthentication``.
///
/// ```swift
/// BearerAuthentication(origins: ["https://api.example.com"]) { rejected in
///     try await account.token(forcingRefresh: rejected != nil)
/// }
/// ```
///
/// A token that can't be a header field's value ends the request with ``HTTPError/invalidRequest(_:)``.
public final class BearerAuthentication: Authentication {
    /// Gives the token: called before each request and each retry, with nil, and once more when a request's token was
    /// refused, with that token. Requests that the closure sends itself, from the same task, are let past.
    public typealias Provider = @Sendable (_ rejected: String?) async throws -> String

    private enum Source: Sendable {
        case token(HTTPHeaders.Field)
        case provider(Provider)
    }

    public let origins: Set<Origin>
    private let source: Source

    /// Sends one token, that never changes, with every request to the origins. A 401 stands.
    public init(token: String, origins: Set<Origin>) {
        source = .token(.bearer(token))
        self.origins = origins
    }

    /// Asks for the token. A request whose token was refused (status 401) is sent again, once, where the closure then gives
    /// another; else the answer stands.
    ///
    /// - Parameters:
    ///   - origins: where the tokens may go, `["https://api.example.com"]`.
    ///   - provider: gives the token. What it throws ends the request. Several requests may call it at once.
    public init(origins: Set<Origin>, provider: @escaping Provider) {
        source = .provider(provider)
        self.origins = origins
    }

    public func attempt(
        for request: HTTPRequest, using sender: AuthenticationSender
    ) -> (any AuthenticationAttempt)? {
        switch source {
        case .token(let field): return FixedAttempt(field: field)
        case .provider(let provider):
            return AuthenticationScope.isInside(self)
                ? nil : ProvidedTokenAttempt(owner: self, provider: provider, events: sender.events)
        }
    }
}
