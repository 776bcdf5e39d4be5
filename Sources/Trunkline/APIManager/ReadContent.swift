/// What a manager has decoded of an answer, off the main actor.
struct ReadContent: Sendable {
    /// The value of a successful answer.
    var value: (any Sendable)?
    /// The server's own error of a failed one.
    var serverError: (any Sendable)?
    /// Why a successful answer could not be decoded.
    var failure: APIError?
}
