/// What a response cache has done since it was made, and what it holds.
public struct CacheStatistics: Hashable, Sendable {
    /// Lookups answered from memory.
    public var memoryHits = 0
    /// Lookups answered from disk.
    public var diskHits = 0
    /// Lookups that found nothing.
    public var misses = 0
    /// Stored answers the server has confirmed: see ``ResponseCache/noteRevalidation()``.
    public var revalidations = 0
    /// Entries accepted for storing.
    public var stores = 0
    /// Entries refused because their partition had been cleared since the request began.
    public var refusals = 0
    /// Entries kept out of the disk tier because too much was waiting to be written.
    public var droppedWrites = 0
    /// Answers that were given although they were stale.
    public var staleAnswers = 0
    /// URLs whose entries were removed after a request that changed something.
    public var invalidations = 0
    /// The memory tier.
    public var memory = CacheUsage()
    /// The disk tier; all zero when there is none.
    public var disk = CacheUsage()

    /// Makes statistics with everything zero.
    public init() {}

    /// Lookups that found an entry. Answers that vary by request fields take two lookups.
    public var hits: Int { memoryHits + diskHits }
    /// Entries removed to make room, in both tiers.
    public var evictions: Int { memory.evictions + disk.evictions }
    /// Damaged files and failed system calls, and writes that were dropped.
    public var failures: Int { disk.corruptions + disk.failures + droppedWrites }
    /// Bytes held, in both tiers.
    public var bytes: Int { memory.bytes + disk.bytes }
}
