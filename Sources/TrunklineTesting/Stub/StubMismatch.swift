/// Why a ``Stub`` does not answer a request.
public struct StubMismatch: Hashable, Sendable, CustomStringConvertible {
    /// What differs.
    public enum Part: String, Hashable, Sendable {
        /// The method.
        case method
        /// Scheme, host or port.
        case host
        /// The path.
        case path
        /// The query.
        case query
        /// A header field.
        case header
        /// The content.
        case body
        /// A condition of the test's own.
        case custom
        /// Nothing: the stub has answered as often as it may.
        case usedUp
    }

    /// What differs.
    public let part: Part
    /// What it is and what was wanted.
    public let description: String
    /// How far off it is.
    let distance: Int

    init(_ part: Part, _ description: String, distance: Int = 2) {
        self.part = part
        self.description = description
        self.distance = distance
    }
}
