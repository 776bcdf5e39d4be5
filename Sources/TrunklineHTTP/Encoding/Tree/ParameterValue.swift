import Foundation

/// One value of a request's parameters, typed once when it is given and the same for every encoder.
///
/// Values come from ``Parameters``, which converts what the caller gives; custom encoders read the cases. Numbers and
/// booleans are told apart by the declared type, never by whether a bridging cast succeeds.
public enum ParameterValue: Hashable, Sendable {
    /// No value: nil or `NSNull`. Left out of a query or form by default, `null` in JSON.
    case null
    /// A truth value.
    case bool(Bool)
    /// A signed integer, and every unsigned one that fits.
    case int(Int64)
    /// An unsigned integer above `Int64.max`.
    case uint(UInt64)
    /// A binary floating-point number; a `Float` is held with its own shortest digits.
    case double(Double)
    /// A decimal number, every digit kept.
    case decimal(Decimal)
    /// Text.
    case string(String)
    /// A point in time, written as the encoder's date strategy says.
    case date(Date)
    /// Bytes, written as the encoder's data strategy says.
    case data(Data)
    /// Values in order.
    case array([ParameterValue])
    /// Values by name; encoders order the names.
    case object([String: ParameterValue])
    /// Something that can't be carried, with the reason. Every encoder refuses it with an error that names its key
    /// path; nothing is sent.
    case unencodable(reason: String)
}

extension ParameterValue {
    /// The deepest nesting an encoder accepts, in levels of arrays and objects. Deeper trees are an error, so that no
    /// input can exhaust a thread's stack.
    public static let maximumDepth = 128

    /// An unsigned integer in the case it belongs to.
    static func unsigned(_ value: UInt64) -> ParameterValue {
        Int64(exactly: value).map { .int($0) } ?? .uint(value)
    }

    static let tooDeep = ParameterValue.unencodable(reason: "nested deeper than \(maximumDepth) levels")
}

extension ParameterValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(integerLiteral value: Int64) { self = .int(value) }
    public init(floatLiteral value: Double) { self = .double(value) }
    public init(stringLiteral value: String) { self = .string(value) }
    public init(arrayLiteral elements: ParameterValue...) { self = .array(elements) }

    /// Makes an object; of a repeated name the last value stays.
    public init(dictionaryLiteral elements: (String, ParameterValue)...) {
        self = .object(Dictionary(elements, uniquingKeysWith: { _, last in last }))
    }
}
