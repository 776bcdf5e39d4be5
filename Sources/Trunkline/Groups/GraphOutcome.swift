/// What became of a graph: a result for every node.
public struct GraphOutcome: Sendable {
    let results: [NodeID: Result<any Sendable, any Error>]
    /// Whether the run was cancelled from outside before it was done.
    public let isCancelled: Bool

    /// Whether every node succeeded.
    public var isSuccess: Bool { !isCancelled && failures.isEmpty }

    /// The errors of the nodes that have no value, by name: their own, ``GroupError/dependencyFailed(node:cause:_:)``
    /// for those skipped, ``GroupError/cancelled``.
    public var failures: [String: any Error] {
        var failures: [String: any Error] = [:]
        for (id, result) in results { if case .failure(let error) = result { failures[id.name] = error } }
        return failures
    }

    /// The result of a node.
    public func result<Value>(of key: NodeKey<Value>) -> Result<Value, any Error> {
        Result { try value(of: key) }
    }

    /// The value of a node.
    ///
    /// - Throws: what the node threw, or ``GroupError``.
    public func value<Value>(of key: NodeKey<Value>) throws -> Value {
        guard let value = try results[key.id]?.get() as? Value else { throw GroupError.unknownNode(key.name) }
        return value
    }

    /// The same run, cancelled when it was done but nobody had heard of it.
    var cancelled: GraphOutcome {
        GraphOutcome(results: results.mapValues { _ in .failure(GroupError.cancelled) }, isCancelled: true)
    }
}
