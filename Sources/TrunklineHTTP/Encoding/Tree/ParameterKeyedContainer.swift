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
