/// What the authentication stage leaves to the stages inside it.
struct ExchangeCredentials: Sendable {
    /// Puts the credential on a request.
    let attempt: any AuthenticationAttempt
    /// The header fields it is in.
    let fields: [String]
}
