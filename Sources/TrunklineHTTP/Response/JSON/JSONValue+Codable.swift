import Foundation

extension JSONValue: Codable {
    /// Decodes any value, as a member of a model say. For a whole document ``init(parsing:response:)`` is many times
    /// faster, as it need not guess the kind of each value.
    public init(from decoder: any Decoder) throws {
        if let members = try? decoder.container(keyedBy: ParameterCodingKey.self) {
            var object: [String: JSONValue] = [:]
            object.reserveCapacity(members.allKeys.count)
            for key in members.allKeys { object[key.stringValue] = try members.decode(JSONValue.self, forKey: key) }
            self = .object(object)
        } else if var elements = try? decoder.unkeyedContainer() {
            var array: [JSONValue] = []
            while !elements.isAtEnd { array.append(try elements.decode(JSONValue.self)) }
            self = .array(array)
        } else {
            self = try JSONValue.scalar(of: try decoder.singleValueContainer())
        }
    }

    private static func scalar(of container: any SingleValueDecodingContainer) throws -> JSONValue {
        if container.decodeNil() { return .null }
        if let text = try? container.decode(String.self) { return .string(text) }
        if let truth = try? container.decode(Bool.self) { return .bool(truth) }
        // Decimal first: Foundation rounds 940838402629207335.5 when it is asked for an Int64. A zero may be a number too
        // small for a Decimal.
        if let number = try? container.decode(Decimal.self), !number.isNaN, !number.isZero { return JSONValue(number) }
        return JSONValue(try container.decode(Double.self))
    }

    /// Encodes the value as what it is.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .unsigned(let value): try container.encode(value)
        case .decimal(let value): try container.encode(value)
        case .double(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let elements): try container.encode(elements)
        case .object(let members): try container.encode(members)
        }
    }
}
