/// How far a group is, counted in members: one that failed or was skipped counts as much as one that succeeded.
public struct GroupProgress: Hashable, Sendable {
    /// The members that have ended.
    public let completed: Int
    /// All members.
    public let total: Int

    /// Makes a progress.
    public init(completed: Int, total: Int) {
        self.completed = completed
        self.total = total
    }

    /// From 0 to 1; 1 for a group without members.
    public var fraction: Double { total > 0 ? Double(completed) / Double(total) : 1 }
}
