/// Which limit of ``Timeouts`` ran out.
public enum TimeoutPhase: String, Hashable, Sendable {
    /// Making the connection took too long.
    case connect
    /// Nothing moved for too long.
    case idle
    /// The whole exchange took too long.
    case total
}
