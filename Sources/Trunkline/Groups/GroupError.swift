/// Why a group, or a member of one, has no result of its own.
public enum GroupError: Error, Sendable {
    /// The group was cancelled, or was stopped by its policy before the member had ended.
    case cancelled
    /// The first of several was asked for, and each of them failed: their errors, in the order of the members.
    case allFailed([any Error])
    /// The first of several was asked for, and there were none.
    case noMembers
    /// The node was not run: a node it depends on, directly or not, failed.
    case dependencyFailed(node: String, cause: String, any Error)
    /// The dependencies go round: the nodes of the circle in order, the first again at the end.
    case cycle([String])
    /// The node depends on one that is not in the graph.
    case missingDependency(node: String, dependency: String)
    /// Two nodes have the same key.
    case duplicateNode(String)
    /// The key is of no node of the graph.
    case unknownNode(String)
}

extension GroupError: CustomStringConvertible {
    /// What is wrong, where, and what to do.
    public var description: String {
        switch self {
        case .cancelled: "The group ended before this member did."
        case .allFailed(let errors):
            "None of \(errors.count) members succeeded: \(errors.map { String(describing: $0) }.joined(separator: "; "))"
        case .noMembers: "There is no member to take the first result of. Add at least one."
        case .dependencyFailed(let node, let cause, let error):
            "The node \"\(node)\" was not run, since \"\(cause)\" failed: \(error)"
        case .cycle(let names):
            "The dependencies go round: \(names.map { "\"\($0)\"" }.joined(separator: " needs ")). Take one of them out."
        case .missingDependency(let node, let dependency):
            "The node \"\(node)\" needs \"\(dependency)\", which is not in the graph. Add it."
        case .duplicateNode(let name): "There are two nodes \"\(name)\". Give one another key."
        case .unknownNode(let name): "There is no node \"\(name)\" in the graph."
        }
    }

    /// Whether an error says no more than that its work was cancelled.
    static func isCancellation(_ error: any Error) -> Bool {
        switch error {
        case is CancellationError: true
        case HTTPError.cancelled: true
        case GroupError.cancelled: true
        case let error as APIError: error.type == .cancelled
        case let error as ChainFailure: isCancellation(error.underlying)
        default: false
        }
    }
}
