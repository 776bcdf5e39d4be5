extension ParameterValue {
    /// The text, if this is a string.
    public var string: String? { if case .string(let value) = self { value } else { nil } }

    /// The truth value, if this is one.
    public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

    /// The number, if it is whole and fits an `Int`.
    public var int: Int? {
        switch self {
        case .int(let value): Int(exactly: value)
        case .uint(let value): Int(exactly: value)
        default: nil
        }
    }

    /// The elements, if this is an array.
    public var array: [ParameterValue]? { if case .array(let value) = self { value } else { nil } }

    /// The members, if this is an object.
    public var object: [String: ParameterValue]? { if case .object(let value) = self { value } else { nil } }
}
