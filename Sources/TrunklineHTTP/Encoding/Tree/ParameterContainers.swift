/// The named values of one object.
struct ParameterKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let codingPath: [any CodingKey]
    let node: ParameterNode
    let depth: Int

    mutating func encodeNil(forKey key: Key) { node.set(ParameterNode(.null), for: key.stringValue) }

    mutating func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
        let child = try ParameterScalar.node(value, codingPath: codingPath, key: key, depth: depth)
        node.set(child, for: key.stringValue)
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy keyType: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        child(key).container(keyedBy: keyType)
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        child(key).unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder { child(ParameterCodingKey(stringValue: "super")) }

    mutating func superEncoder(forKey key: Key) -> any Encoder { child(key) }

    private func child(_ key: any CodingKey) -> ParameterTreeEncoder {
        let child = ParameterTreeEncoder(codingPath: codingPath + [key], depth: depth + 1)
        node.set(child.node, for: key.stringValue)
        return child
    }
}

/// The elements of one array.
struct ParameterUnkeyedContainer: UnkeyedEncodingContainer {
    let codingPath: [any CodingKey]
    let node: ParameterNode
    let depth: Int

    var count: Int { node.count }

    mutating func encodeNil() { node.append(ParameterNode(.null)) }

    mutating func encode<T: Encodable>(_ value: T) throws {
        let key = ParameterCodingKey(intValue: count)
        node.append(try ParameterScalar.node(value, codingPath: codingPath, key: key, depth: depth))
    }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy keyType: Nested.Type) -> KeyedEncodingContainer<Nested> {
        child().container(keyedBy: keyType)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { child().unkeyedContainer() }

    mutating func superEncoder() -> any Encoder { child() }

    private func child() -> ParameterTreeEncoder {
        let child = ParameterTreeEncoder(
            codingPath: codingPath + [ParameterCodingKey(intValue: count)], depth: depth + 1)
        node.append(child.node)
        return child
    }
}

/// A single value.
struct ParameterSingleContainer: SingleValueEncodingContainer {
    let codingPath: [any CodingKey]
    let node: ParameterNode
    let depth: Int

    mutating func encodeNil() { node.set(.null) }

    mutating func encode<T: Encodable>(_ value: T) throws {
        node.take(try ParameterScalar.node(value, codingPath: codingPath, key: nil, depth: depth))
    }
}

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

/// A coding key made at run time.
struct ParameterCodingKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(stringValue: String) {
        self.stringValue = stringValue
        intValue = nil
    }

    init(intValue: Int) {
        stringValue = String(intValue)
        self.intValue = intValue
    }
}
