/// A permission to store into a partition, taken when a request begins. It ends when the partition is cleared: a slow
/// answer to a user who has logged out meanwhile is then not stored.
public struct CacheTicket: Hashable, Sendable {
    /// The partition it is for.
    public let partition: CachePartition
    /// How often the partition had been cleared.
    let generation: UInt64
    /// How often the whole cache had been cleared.
    let epoch: UInt64
}
