/// What happened to the credential of a ``RefreshingAuthentication`` that the app did not do itself.
public enum AuthenticationEvent<Credential: Sendable>: Sendable {
    /// A refresh gave a new credential: the time to store it.
    case refreshed(Credential)
    /// A refresh was refused and the credential dropped: the time to show the log-in. Comes once for each credential,
    /// however many requests fail with it.
    case expired(AuthenticationFailure)
}
