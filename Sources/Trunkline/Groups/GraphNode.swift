/// A node of a graph with its types erased.
struct GraphNode: Sendable {
    let id: NodeID
    let dependencies: [NodeID]
    let work: @Sendable (GraphValues) async throws -> any Sendable
}

/// The values of the nodes that have succeeded.
final class GraphValues: Sendable {
    private let values = Protected<[NodeID: any Sendable]>([:])

    func set(_ id: NodeID, _ value: any Sendable) { values.withLock { $0[id] = value } }

    func value<Value>(of key: NodeKey<Value>) throws(GroupError) -> Value {
        // Never missing in a run: a node starts when its dependencies are there, and the type is part of the id.
        guard let value = values.withLock({ $0[key.id] }) as? Value else { throw .unknownNode(key.name) }
        return value
    }
}
