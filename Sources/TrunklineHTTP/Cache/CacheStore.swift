/// A tier of the response cache. Nothing here throws: whatever goes wrong inside is a miss, and counted.
///
/// Operations on one store take effect in the order they are called from one task. Safe to use from any number of
/// tasks.
public protocol CacheStore: Sendable {
    /// The entry, or nil. A hit makes it the most recently used.
    func response(for key: CacheKey) async -> CachedResponse?

    /// Stores the entry in the place of an older one. When it can't be stored, the older one is removed.
    ///
    /// - Parameters:
    ///   - response: the entry.
    ///   - key: its identity.
    ///   - isCurrent: asked right before the entry becomes visible; false gives the entry up. A removal that begins
    ///     after this has returned true must remove the entry.
    func store(
        _ response: CachedResponse, for key: CacheKey, if isCurrent: @escaping @Sendable () -> Bool
    ) async -> CacheStoreOutcome

    /// Removes the entry, if there is one.
    func remove(for key: CacheKey) async

    /// Removes every entry of the partition.
    func removeAll(in partition: CachePartition) async

    /// Removes everything.
    func removeAll() async

    /// What the store holds and has gone through.
    func usage() async -> CacheUsage
}

/// What became of an entry that was to be stored.
public enum CacheStoreOutcome: Hashable, Sendable {
    /// It is there.
    case stored
    /// It is larger than the store takes.
    case tooLarge
    /// It was out of date before it was stored.
    case outdated
    /// The medium failed: full, read-only, gone.
    case failed
}

/// What a store holds and has gone through since it was made.
public struct CacheUsage: Hashable, Sendable {
    /// Entries now.
    public var entries: Int
    /// Bytes now.
    public var bytes: Int
    /// Entries removed to make room.
    public var evictions: Int
    /// Files that were damaged and removed.
    public var corruptions: Int
    /// System calls that failed: disk full, no permission.
    public var failures: Int

    /// Makes a usage report.
    public init(entries: Int = 0, bytes: Int = 0, evictions: Int = 0, corruptions: Int = 0, failures: Int = 0) {
        self.entries = entries
        self.bytes = bytes
        self.evictions = evictions
        self.corruptions = corruptions
        self.failures = failures
    }
}
