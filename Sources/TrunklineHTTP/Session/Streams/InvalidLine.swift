import Foundation

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
