import Foundation

extension JSONValue {
    /// The member of an object, or nil when this is no object or has no such member. An explicit null is ``null``.
    public subscript(_ key: String) -> JSONValue? {
        if case .object(let members) = self { members[key] } else { nil }
    }

    /// The element of an array, or nil when this is no array or is shorter. Never traps.
    public subscript(_ index: Int) -> JSONValue? {
        guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
        return elements[index]
    }

    /// The value at a path like `items[0].price`; nil when there is none. The empty path is the value itself. A member
    /// whose name has a dot or bracket is reached with the subscripts.
    public func value(at path: String) -> JSONValue? { ContentPath(path).flatMap { value(at: $0) } }

    /// The value at a path; nil when there is none.
    public func value(at path: ContentPath) -> JSONValue? {
        path.steps.reduce(self as JSONValue?) { value, step in
            switch step {
            case .key(let key): value?[key]
            case .index(let index): value?[index]
            }
        }
    }

    /// Whether this is `null`.
    public var isNull: Bool { self == .null }

    /// The truth value; nil for everything else, numbers included.
    public var bool: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The whole number, where it fits.
    public var int: Int? { int64.flatMap { Int(exactly: $0) } }

    /// The whole number, where it fits.
    public var int64: Int64? {
        switch self {
        case .integer(let value): value
        case .double(let value): Int64(exactly: value)
        default: nil
        }
    }

    /// The whole number, where it fits.
    public var uint64: UInt64? {
        switch self {
        case .integer(let value): UInt64(exactly: value)
        case .unsigned(let value): value
        case .double(let value): UInt64(exactly: value)
        default: nil
        }
    }

    /// The number to the nearest `Double`.
    public var double: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .unsigned(let value): Double(value)
        case .decimal(let value): Double(value.description)
        case .double(let value): value
        default: nil
        }
    }

    /// The number exactly; nil for one a `Decimal` can't hold.
    public var decimal: Decimal? {
        switch self {
        case .integer(let value): Decimal(value)
        case .unsigned(let value): Decimal(value)
        case .decimal(let value): value
        default: nil
        }
    }

    /// The text; nil for everything else, numbers included.
    public var string: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The elements.
    public var array: [JSONValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// The members.
    public var object: [String: JSONValue]? {
        if case .object(let members) = self { members } else { nil }
    }
}
