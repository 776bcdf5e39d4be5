/// What an endpoint answers with.
public enum APIResponseContent: Hashable, Sendable {
    /// JSON: it is parsed once, off the main actor, and anything else is a failure.
    case json
    /// Anything: handed over as it is.
    case any
}
