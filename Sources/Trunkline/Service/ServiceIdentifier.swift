/// The name a service is registered under. Declare yours as constants, so that a typo is a compile error:
///
///     extension ServiceIdentifier {
///         static let library: ServiceIdentifier = "library"
///     }
public struct ServiceIdentifier: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral,
    CustomStringConvertible
{
    /// The name.
    public let rawValue: String

    /// Makes an identifier from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Makes an identifier from a literal.
    public init(stringLiteral value: String) { rawValue = value }

    /// The name.
    public var description: String { rawValue }
}
