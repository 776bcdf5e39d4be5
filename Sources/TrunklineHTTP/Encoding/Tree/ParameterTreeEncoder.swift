import Foundation

/// Turns any `Encodable` into a parameter tree. Dates, data, decimals, URLs and UUIDs stay what they are instead of
/// falling apart into their own encodings.
final class ParameterTreeEncoder: Encoder {
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }
    let node: ParameterNode
    private let depth: Int

    init(codingPath: [any CodingKey], node: ParameterNode = ParameterNode(), depth: Int) {
        self.codingPath = codingPath
        self.node = node
        self.depth = depth
    }

    /// The tree of `value`, which sits `depth` levels deep in a tree already.
    static func encode(_ value: any Encodable, depth: Int = 0) throws -> ParameterValue {
        try box(value, codingPath: [], depth: depth).value
    }

    /// The node of one value: a leaf where the type is a parameter type, else what its `encode(to:)` makes.
    static func box(_ value: any Encodable, codingPath: [any CodingKey], depth: Int) throws -> ParameterNode {
        if let leaf = leaf(value) { return ParameterNode(leaf) }
        guard depth <= ParameterValue.maximumDepth else {
            let context = EncodingError.Context(
                codingPath: codingPath, debugDescription: "nested deeper than \(ParameterValue.maximumDepth) levels")
            throw EncodingError.invalidValue(value, context)
        }
        let encoder = ParameterTreeEncoder(codingPath: codingPath, depth: depth)
        try value.encode(to: encoder)
        return encoder.node
    }

    private static func leaf(_ value: any Encodable) -> ParameterValue? {
        switch ObjectIdentifier(type(of: value)) {
        case ObjectIdentifier(Date.self): (value as? Date).map { .date($0) }
        case ObjectIdentifier(Data.self): (value as? Data).map { .data($0) }
        case ObjectIdentifier(Decimal.self): (value as? Decimal).map { .decimal($0) }
        case ObjectIdentifier(URL.self): (value as? URL).map { .string($0.absoluteString) }
        case ObjectIdentifier(UUID.self): (value as? UUID).map { .string($0.uuidString) }
        default: nil
        }
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        node.becomeObject()
        return KeyedEncodingContainer(ParameterKeyedContainer(codingPath: codingPath, node: node, depth: depth))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        node.becomeArray()
        return ParameterUnkeyedContainer(codingPath: codingPath, node: node, depth: depth)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        ParameterSingleContainer(codingPath: codingPath, node: node, depth: depth)
    }
}

extension ParameterTreeEncoder {
    /// An encoding error in one line, without the value it was about.
    static func reason(_ error: any Error) -> String {
        guard case EncodingError.invalidValue(_, let context) = error else { return "\(error)" }
        let path = ParameterPath.text(context.codingPath)
        return path.isEmpty ? context.debugDescription : "\(context.debugDescription) (at \(path))"
    }

    /// The error of a whole-value encoding, with the place it happened.
    static func failure(_ error: any Error) -> HTTPError {
        switch error {
        case let error as HTTPError: error
        case EncodingError.invalidValue(_, let context):
            .invalidRequest(
                .parameter(path: ParameterPath.text(context.codingPath), reason: context.debugDescription))
        default: .custom(error)
        }
    }
}
