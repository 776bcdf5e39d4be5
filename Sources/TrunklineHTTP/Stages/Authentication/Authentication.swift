/// How requests get their credentials: set one in ``SessionConfiguration/authentication`` for a session, or in
/// ``RequestOptions/authentication`` for one request.
///
/// The library has ``BasicAuthentication``, ``BearerAuthentication``, ``DigestAuthentication``, and
/// ``RefreshingAuthentication`` for tokens that are refreshed. Conform to this protocol for a scheme of your own, a
/// signature over each request for example; for tokens, conform to ``Authenticator``, which is less.
///
/// A credential goes to its ``origins`` and nowhere else. Requests to other origins, and requests that bring one of
/// ``credentialFields`` of their own, go out as they are. It is put on each request right before it goes out, anew for each
/// redirect within its origin, each retry and the replay: no stage outside sees it, and a redirect to another origin can't
/// carry it along, whatever header field or query item it is in.
public protocol Authentication: Sendable {
    /// The origins the credential may go to.
    var origins: Set<Origin> { get }

    /// The header fields the credential is in: a request that has one of them already keeps it. By default
    /// `Authorization`.
    var credentialFields: [String] { get }

    /// Begins with a request that is to be sent, for the first time. Called on any thread, once for each request.
    ///
    /// - Parameters:
    ///   - request: the request, without a credential.
    ///   - sender: sends requests of the authentication's own, past the authentication.
    /// - Returns: what handles this one request, or nil where it goes out as it is.
    func attempt(for request: HTTPRequest, using sender: AuthenticationSender) -> (any AuthenticationAttempt)?
}

extension Authentication {
    /// `Authorization`.
    public var credentialFields: [String] { ["Authorization"] }
}
