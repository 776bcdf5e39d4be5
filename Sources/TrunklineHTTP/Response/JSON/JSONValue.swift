import Foundation

/// A JSON document as a tree, for answers without a model.
///
/// Numbers keep their exact value: integers up to 64 bits, then decimals of up to 38 digits; only what fits neither
/// becomes a `Double`. The same number is the same value however it was spelt, so `1`, `1.0` and `1e0` are equal.
///
/// ```swift
/// let json = try JSONValue(parsing: response.data)
/// let title = json["items"]?[0]?["title"]?.string
/// let price = json.value(at: "items[0].price")?.decimal
/// ```
public enum JSONValue: Hashable, Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A whole number that fits an `Int64`.
    case integer(Int64)
    /// A whole number above `Int64.max` that fits a `UInt64`.
    case unsigned(UInt64)
    /// Any other number of up to 38 digits, exactly.
    case decimal(Decimal)
    /// A number with more digits or a greater exponent than a `Decimal` holds (10¹²⁷ and above), to the nearest `Double`.
    case double(Double)
    /// Text.
    case string(String)
    /// Values in order.
    case array([JSONValue])
    /// Values by name; of a repeated name the last.
    case object([String: JSONValue])

    /// Parses a JSON text in UTF-8 (RFC 8259); any value may be at the top. A byte-order mark is skipped.
    ///
    /// - Parameters:
    ///   - data: the text.
    ///   - response: the response it came with, attached to an error.
    /// - Throws: ``HTTPError/decoding(_:)`` with the place and what was wrong there. Nesting deeper than 512 levels is
    ///   refused, as by Foundation.
    public init(parsing data: Data, response: HTTPResponse? = nil) throws(HTTPError) {
        var parser = JSONParser(data)
        do {
            self = try parser.parse()
        } catch {
            throw .decoding(
                DecodingFailure(type: "JSON value", path: error.path, reason: error.reason, response: response))
        }
    }

    /// A number in the case it belongs to.
    init(_ number: Decimal) {
        let digits = number.description
        if let int = Int64(digits) {
            self = .integer(int)
        } else if let uint = UInt64(digits) {
            self = .unsigned(uint)
        } else if number.magnitude >= JSONNumber.decimalLimit, let double = Double(digits) {
            self = .double(double)
        } else {
            self = .decimal(number)
        }
    }

    /// A number in the case it belongs to, by its shortest digits.
    init(_ number: Double) {
        if let int = Int64(exactly: number) {
            self = .integer(int)
        } else if number.isFinite, let value = try? JSONValue(parsing: Data(number.description.utf8)) {
            self = value
        } else {
            self = .double(number)
        }
    }
}

// Not by nil: `json["a"] == nil` must mean that there is no such member.
extension JSONValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(integerLiteral value: Int64) { self = .integer(value) }
    public init(floatLiteral value: Double) { self.init(value) }
    public init(stringLiteral value: String) { self = .string(value) }
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

    /// Makes an object; of a repeated name the last value stays.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements, uniquingKeysWith: { _, last in last }))
    }
}
