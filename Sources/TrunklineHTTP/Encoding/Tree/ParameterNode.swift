/// A place in the tree that an encoding under way fills. Containers share it, as `Encodable` may ask for the same
/// container twice.
final class ParameterNode {
    private enum Content {
        case empty
        case leaf(ParameterValue)
        case array([ParameterNode])
        case object([String: ParameterNode])
    }

    private var content: Content

    init() { content = .empty }

    init(_ leaf: ParameterValue) { content = .leaf(leaf) }

    /// The tree under this place. An `encode(to:)` that wrote nothing gives an empty object, as Foundation's encoders do.
    var value: ParameterValue {
        switch content {
        case .empty: .object([:])
        case .leaf(let value): value
        case .array(let nodes): .array(nodes.map(\.value))
        case .object(let nodes): .object(nodes.mapValues(\.value))
        }
    }

    /// The number of elements, for an array.
    var count: Int {
        if case .array(let nodes) = content { nodes.count } else { 0 }
    }

    func becomeObject() {
        if case .object = content { return }
        content = .object([:])
    }

    func becomeArray() {
        if case .array = content { return }
        content = .array([])
    }

    func set(_ leaf: ParameterValue) { content = .leaf(leaf) }

    /// Takes over what another place holds.
    func take(_ other: ParameterNode) { content = other.content }

    func set(_ node: ParameterNode, for key: String) {
        guard case .object(var nodes) = content else { return }
        content = .empty  // so that the dictionary below is not copied
        nodes[key] = node
        content = .object(nodes)
    }

    func append(_ node: ParameterNode) {
        guard case .array(var nodes) = content else { return }
        content = .empty
        nodes.append(node)
        content = .array(nodes)
    }
}
