/// Whose credential a request gets.
public enum RequestAuthentication: Sendable {
    /// That of ``SessionConfiguration/authentication``.
    case inherit
    /// None: for a log-in, or what everybody may read.
    case none
    /// That of another authentication.
    indirect case use(any Authentication)
}
