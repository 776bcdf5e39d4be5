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

    /// Begins an entry whose content comes in pieces, and is not held in memory.
    ///
    /// - Parameters:
    ///   - head: the entry; its body is of no account.
    ///   - key: its identity.
    ///   - length: the length of the content in bytes, where it is known.
    /// - Returns: nil when the store takes no such entry, or none of this length; by default always.
    func beginWriting(_ head: CachedResponse, for key: CacheKey, length: Int64?) async -> (any CacheEntryWriter)?

    /// Removes the entry, if there is one.
    func remove(for key: CacheKey) async

    /// Removes the entries of which the closure says so, and only those.
    ///
    /// - Parameter isUnwanted: called on a thread of the store; must not call the store.
    func remove(where isUnwanted: @escaping @Sendable (CacheEntryDescription) -> Bool) async

    /// Removes every entry of the partition.
    func removeAll(in partition: CachePartition) async

    /// Removes everything.
    func removeAll() async

    /// What the store holds and has gone through.
    func usage() async -> CacheUsage

    /// What happens inside the store from now on, for any number of readers, each with the newest hundred it has not read
    /// yet. By default a stream that has ended.
    var events: AsyncStream<CacheStoreEvent> { get }
}

extension CacheStore {
    public func beginWriting(
        _ head: CachedResponse, for key: CacheKey, length: Int64?
    ) async -> (any CacheEntryWriter)? { nil }

    public var events: AsyncStream<CacheStoreEvent> { AsyncStream { $0.finish() } }
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
