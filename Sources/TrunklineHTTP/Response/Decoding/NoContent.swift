/// A type with a value that stands for "no content", so that an empty answer decodes to it where the status or method
/// says that there is none: 204, 205, HEAD, and the statuses named in the call.
public protocol EmptyContentRepresentable {
    /// The value of an empty answer.
    static var emptyContent: Self { get }
}

/// An answer nobody needs the content of. Decodes from any content and from none.
public struct NoContent: Codable, Hashable, Sendable, EmptyContentRepresentable {
    public static let emptyContent = NoContent()

    /// Makes the only value there is.
    public init() {}
    public init(from decoder: any Decoder) {}
    public func encode(to encoder: any Encoder) throws { _ = encoder.container(keyedBy: Key.self) }

    private enum Key: CodingKey {}
}
