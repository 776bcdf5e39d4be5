/// A validator's verdict.
public enum APIValidation: Hashable, Sendable {
    /// Go on.
    case valid
    /// Stop, with the reason: what the user is told.
    case invalid(String)
}
