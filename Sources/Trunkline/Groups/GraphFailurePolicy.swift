/// What the failure of a node means for the others.
public enum GraphFailurePolicy: Hashable, Sendable {
    /// Nodes that need it, directly or not, are not run; the others go on.
    case skipDependants
    /// The nodes that run are cancelled, and no other is run.
    case cancelAll
}
