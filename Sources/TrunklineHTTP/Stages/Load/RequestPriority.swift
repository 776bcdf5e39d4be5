/// How urgent a request is where requests have to wait for each other: in the queue of ``RequestLimits``, and in
/// transports that can tell a server.
public enum RequestPriority: Int, Hashable, Sendable, Comparable, CaseIterable {
    /// Work nobody waits for: prefetching, uploads in the background.
    case low = 0
    /// The default.
    case normal = 1
    /// What somebody looks at.
    case high = 2

    /// Less urgent comes first.
    public static func < (lhs: RequestPriority, rhs: RequestPriority) -> Bool { lhs.rawValue < rhs.rawValue }
}
