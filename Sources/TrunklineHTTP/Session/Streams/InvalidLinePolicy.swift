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

/// A line of a JSON stream that was left out.
public struct InvalidLine: Sendable {
    /// The line, without its end.
    public var content: Data
    /// Why it is not a value, with the line's number in ``DecodingFailure/line``.
    public var failure: DecodingFailure

    /// Makes the description of a line.
    public init(content: Data, failure: DecodingFailure) {
        self.content = content
        self.failure = failure
    }
}
