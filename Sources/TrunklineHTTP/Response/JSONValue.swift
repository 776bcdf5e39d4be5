import Foundation

/// Parsed JSON of any shape, numbers exact: whole numbers as integers up to 64 bits, others as `Decimal` where its 38
/// digits hold them (RFC 8259, section 6, leaves the range to the implementation).
///
/// Get one with ``HTTPResponse/decode(_:using:)``, and the parts by key, index or path:
///
///     let total = json["meta"]?["total"]?.int
///     let first = json.value(at: "items")?[0]?["title"]?.string
public enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    /// A whole number above `Int64.max`.
    case unsigned(UInt64)
    /// A number with a fraction, or a whole one beyond 64 bits.
    case decimal(Decimal)
    /// A number only a `Double` can hold, with an exponent beyond `Decimal`'s.
    case double(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])
}

extension JSONValue: Decodable {
    /// Reads whatever value the decoder has.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([String: JSONValue].self) {
            self = .object(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .array(value)
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(UInt64.self) {
            self = .unsigned(value)
        } else if let value = try? container.decode(Decimal.self) {
            self = .decimal(value)
        } else {
            self = .double(try container.decode(Double.self))
        }
    }
}

extension JSONValue {
    /// The value under the key; nil when this is no object or has no such key.
    public subscript(key: String) -> JSONValue? { object?[key] }

    /// The value at the index; nil when this is no array or the index is outside it.
    public subscript(index: Int) -> JSONValue? {
        guard let array, array.indices.contains(index) else { return nil }
        return array[index]
    }

    /// The value at the end of keys joined by dots, `data.items`; a number between dots is an index where the value is an
    /// array. An empty path is the value itself; nil when the path leads nowhere.
    public func value(at keyPath: String) -> JSONValue? {
        var value: JSONValue? = self
        for part in keyPath.split(separator: ".") {
            if let array = value?.array, let index = Int(part) {
                value = array.indices.contains(index) ? array[index] : nil
            } else {
                value = value?[String(part)]
            }
        }
        return value
    }

    /// Whether this is `null`.
    public var isNull: Bool { self == .null }
    /// The text, if this is a string.
    public var string: String? { if case .string(let value) = self { value } else { nil } }
    /// The truth value, if this is one.
    public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    /// The elements, if this is an array.
    public var array: [JSONValue]? { if case .array(let value) = self { value } else { nil } }
    /// The members, if this is an object.
    public var object: [String: JSONValue]? { if case .object(let value) = self { value } else { nil } }
    /// The number, if it is whole and fits an `Int`.
    public var int: Int? { if case .integer(let value) = self { Int(exactly: value) } else { nil } }
    /// The number, exactly, if this is one `Decimal` can hold.
    public var decimal: Decimal? {
        switch self {
        case .integer(let value): Decimal(value)
        case .unsigned(let value): Decimal(value)
        case .decimal(let value): value
        default: nil
        }
    }
    /// The number, rounded to the nearest `Double`, if this is one.
    public var double: Double? {
        if case .double(let value) = self { value } else { decimal.map { NSDecimalNumber(decimal: $0).doubleValue } }
    }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(nilLiteral: ()) { self = .null }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(integerLiteral value: Int64) { self = .integer(value) }
    public init(stringLiteral value: String) { self = .string(value) }
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// Of a key that is written twice the last value stays.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements, uniquingKeysWith: { $1 }))
    }
}
