/// The types `Codable` treats as primitive, told by their concrete type, and everything else by its own encoding.
enum ParameterScalar {
    static func node<T: Encodable>(
        _ value: T, codingPath: [any CodingKey], key: (any CodingKey)?, depth: Int
    ) throws -> ParameterNode {
        if let scalar = scalar(value) { return ParameterNode(scalar) }
        let path = key.map { codingPath + [$0] } ?? codingPath
        return try ParameterTreeEncoder.box(value, codingPath: path, depth: depth + 1)
    }

    private static func scalar<T>(_ value: T) -> ParameterValue? {
        if T.self == String.self { return (value as? String).map { .string($0) } }
        if T.self == Int.self { return (value as? Int).map { .int(Int64($0)) } }
        if T.self == Bool.self { return (value as? Bool).map { .bool($0) } }
        if T.self == Double.self { return (value as? Double).map { .double($0) } }
        if T.self == Float.self { return (value as? Float).map(ParameterValue.float) }
        if T.self == Int8.self { return (value as? Int8).map { .int(Int64($0)) } }
        if T.self == Int16.self { return (value as? Int16).map { .int(Int64($0)) } }
        if T.self == Int32.self { return (value as? Int32).map { .int(Int64($0)) } }
        if T.self == Int64.self { return (value as? Int64).map { .int($0) } }
        if T.self == UInt.self { return (value as? UInt).map { .unsigned(UInt64($0)) } }
        if T.self == UInt8.self { return (value as? UInt8).map { .int(Int64($0)) } }
        if T.self == UInt16.self { return (value as? UInt16).map { .int(Int64($0)) } }
        if T.self == UInt32.self { return (value as? UInt32).map { .int(Int64($0)) } }
        if T.self == UInt64.self { return (value as? UInt64).map { .unsigned($0) } }
        return nil
    }
}
