import Foundation

/// What an app knows of its credential: how it goes on a request, when it is due, and how it is refreshed. Hand it to a
/// ``RefreshingAuthentication``, which does the rest.
///
/// ```swift
/// struct OAuth: Authenticator {
///     struct Tokens: Hashable, Codable, Sendable {
///         var access: String
///         var refresh: String
///         var expiry: Date
///     }
///
///     func apply(_ tokens: Tokens, to request: inout HTTPRequest) {
///         request.headers.set(.bearer(tokens.access))
///     }
///
///     func needsRefresh(_ tokens: Tokens, now: Date) -> Bool { tokens.expiry < now + 60 }
///
///     func refresh(
///         _ tokens: Tokens, after rejection: HTTPResponse?, using sender: AuthenticationSender
///     ) async throws -> Tokens {
///         try await sender.send(
///             .post("https://id.example.com/token", parameters: ["refresh_token": tokens.refresh])
///         ).decode(Tokens.self)
///     }
/// }
/// ```
public protocol Authenticator: Sendable {
    /// A credential, such as an access token with its refresh token. Two are equal when a server that refuses one refuses
    /// the other.
    associatedtype Credential: Hashable & Sendable

    /// The header fields ``apply(_:to:)`` sets: a request that has one of them already keeps it and is sent without the
    /// credential. By default `Authorization`.
    var credentialFields: [String] { get }

    /// Puts the credential on a request that is about to go out: a header field, a query item. Called for each redirect
    /// within the origin, each retry and the replay, each time on the request without a credential.
    ///
    /// - Throws: what the request ends with.
    func apply(_ credential: Credential, to request: inout HTTPRequest) throws

    /// Whether the credential is to be refreshed before it is used, because it has expired or is about to. By default
    /// false.
    func needsRefresh(_ credential: Credential, now: Date) -> Bool

    /// Whether the answer refuses the credential, so that a refresh may help. By default status 401.
    func isRejected(_ response: HTTPResponse, with credential: Credential) -> Bool

    /// Gets a new credential for the one that is due or was refused. One refresh runs at a time, in a task of its own
    /// which no request's cancellation ends.
    ///
    /// - Parameters:
    ///   - credential: the credential to replace.
    ///   - rejection: the answer that refused it; nil before its expiry.
    ///   - sender: sends requests past the authentication. Requests that go through a session instead, from the same task
    ///     or one it starts, are let past as well.
    /// - Throws: what the waiting requests fail with, inside an ``AuthenticationFailure``.
    func refresh(
        _ credential: Credential, after rejection: HTTPResponse?, using sender: AuthenticationSender
    ) async throws -> Credential

    /// Whether a failed refresh ends the session: the credential is dropped, and requests fail until a new one is set. By
    /// default false for trouble on the way (no network, limits, cancellation, lost connections, TLS, status 408, 425,
    /// 429 and 500 to 599), and true for everything else, a refusal by the server above all.
    func endsSession(_ refreshError: any Error) -> Bool
}

extension Authenticator {
    /// `Authorization`.
    public var credentialFields: [String] { ["Authorization"] }

    /// False: the credential is used until it is refused.
    public func needsRefresh(_ credential: Credential, now: Date) -> Bool { false }

    /// Status 401 (RFC 9110, section 15.5.2).
    public func isRejected(_ response: HTTPResponse, with credential: Credential) -> Bool { response.statusCode == 401 }

    /// Whether the error is the server's refusal and not trouble on the way to it.
    public func endsSession(_ refreshError: any Error) -> Bool {
        switch HTTPError(refreshError) {
        case .cancelled, .sessionInvalidated, .timedOut, .offline, .nameResolution, .connectionFailed, .connectionLost,
            .tls, .invalidResponse:
            return false
        case .validation(let failure):
            let status = failure.response.statusCode
            return !(status == 408 || status == 425 || status == 429 || (500...599).contains(status))
        default:
            return true
        }
    }
}
