import Foundation

/// What happens to a line of a JSON stream that is not a value of the type asked for.
public enum InvalidLinePolicy: Sendable {
    /// It ends the stream with ``HTTPError/decoding(_:)``.
    case fail
    /// It is left out; the closure hears of it, in order, on the task that reads.
    case skip(@Sendable (InvalidLine) -> Void)

    /// It is left out in silence.
    public static let skip = InvalidLinePolicy.skip { _ in }
}
