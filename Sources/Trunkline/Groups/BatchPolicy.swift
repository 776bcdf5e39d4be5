/// When a batch is done, and what one member's end means for the others.
public enum BatchPolicy: Hashable, Sendable {
    /// Every member must succeed: the first failure cancels the others.
    case allOrNothing
    /// Every member runs to its end, whatever becomes of the others.
    case collect
    /// One success is enough: it cancels the others. Failures before it are passed over.
    case firstSuccess
}
