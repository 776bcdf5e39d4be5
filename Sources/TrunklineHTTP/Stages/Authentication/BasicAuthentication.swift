import Foundation

/// Basic authentication (RFC 7617): user name and password, in UTF-8, with every request to the origins, unasked.
///
/// An answer with status 401 stands as it is: there is nothing else to try. The password is readable by whoever sees the
/// request, so bind it to `https` origins.
public struct BasicAuthentication: Authentication {
    public let origins: Set<Origin>
    private let field: HTTPHeaders.Field

    /// Makes an authentication.
    ///
    /// - Parameters:
    ///   - username: the user name, without a colon.
    ///   - password: the password.
    ///   - origins: where the two may go, `["https://api.example.com"]`.
    /// - Throws: ``HTTPError/authentication(_:)`` with ``AuthenticationFailure/Reason/invalidCredential(_:)`` for a user name
    ///   with a colon and for control characters, which the scheme can't carry (section 2).
    public init(username: String, password: String, origins: Set<Origin>) throws(HTTPError) {
        func refuse(_ reason: String) -> HTTPError {
            .authentication(AuthenticationFailure(reason: .invalidCredential(reason)))
        }
        guard !username.utf8.contains(UInt8(ascii: ":")) else {
            throw refuse("the user name contains a colon (RFC 7617, section 2)")
        }
        guard (username + password).unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
            throw refuse("the user name or the password contains a control character (RFC 7617, section 2)")
        }
        field = try .basic(username: username, password: password)
        self.origins = origins
    }

    public func attempt(
        for request: HTTPRequest, using sender: AuthenticationSender
    ) -> (any AuthenticationAttempt)? {
        FixedAttempt(field: field)
    }
}
