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
