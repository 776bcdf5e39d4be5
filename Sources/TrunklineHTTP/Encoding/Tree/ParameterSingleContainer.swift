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
