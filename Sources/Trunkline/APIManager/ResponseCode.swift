/// The code in an answer's envelope. Numbers, texts and truth values that read alike are the same code, since servers mix
/// them: `0`, `"0"`; `true`, `"true"`.
public struct ResponseCode: Hashable, Sendable, ExpressibleByIntegerLiteral, ExpressibleByStringLiteral,
    ExpressibleByBooleanLiteral, CustomStringConvertible
{
    /// The code as text.
    public let text: String

    /// Makes a code from its text.
    public init(_ text: String) { self.text = text }

    /// Makes a code from a number.
    public init(integerLiteral value: Int) { text = String(value) }

    /// Makes a code from a text.
    public init(stringLiteral value: String) { text = value }

    /// Makes a code from a truth value.
    public init(booleanLiteral value: Bool) { text = String(value) }

    /// The code a JSON value stands for; nil for one that is neither a number, a text nor a truth value.
    public init?(_ json: JSONValue) {
        switch json {
        case .bool(let value): text = String(value)
        case .string(let value): text = value
        case .integer(let value): text = String(value)
        case .unsigned(let value): text = String(value)
        case .decimal(let value): text = value.description
        default: return nil
        }
    }

    /// The code as a number, where it is one.
    public var int: Int? { Int(text) }

    /// The code as text.
    public var description: String { text }
}
