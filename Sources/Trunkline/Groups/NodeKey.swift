/// Names a node of a ``DependencyGraph`` and says what it gives. Two keys are the same when name and type are.
public struct NodeKey<Value: Sendable>: Hashable, Sendable, CustomStringConvertible {
    /// The name, for errors.
    public let name: String

    /// Makes a key.
    public init(_ name: String, of type: Value.Type = Value.self) { self.name = name }

    /// The name.
    public var description: String { name }

    var id: NodeID { NodeID(name: name, type: ObjectIdentifier(Value.self)) }
}

/// A key without its type.
struct NodeID: Hashable, Sendable {
    let name: String
    let type: ObjectIdentifier
}
