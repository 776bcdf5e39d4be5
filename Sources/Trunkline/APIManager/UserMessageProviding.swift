/// A server's own error that has words for the user: a ``TypedAPIManager`` whose error type conforms shows them.
public protocol UserMessageProviding {
    /// What to tell the user; nil to leave it to the kind of failure.
    var userMessage: String? { get }
}
