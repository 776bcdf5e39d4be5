import Foundation

/// The response cache: a tier in memory in front of an optional one on disk.
///
/// Safe to use from any thread and task. It never throws and never fails a request: what goes wrong inside is a miss and
/// shows in ``statistics``. An entry is visible to every reader as soon as ``store(_:for:ticket:)`` was called, before it
/// is on disk.
public final class ResponseCache: Sendable {
    /// The tier in memory.
    public let memory: MemoryCacheStore
    /// The tier on disk, or nil.
    public let disk: (any CacheStore)?
    /// How long an entry is kept at most, or nil for no limit but the room.
    public let retention: Duration?

    /// Entries of more bytes than this waiting for the disk are kept in memory only.
    private static let pendingLimit = 32_000_000
    let ledger = Protected(CacheLedger())

    /// Makes a cache of its tiers.
    ///
    /// - Parameters:
    ///   - memory: by default 20 MB.
    ///   - disk: usually a ``DiskCacheStore``; by default none.
    ///   - retention: the age at which an entry is given up whatever the policy; by default none.
    public init(
        memory: MemoryCacheStore = MemoryCacheStore(), disk: (any CacheStore)? = nil, retention: Duration? = nil
    ) {
        self.memory = memory
        self.disk = disk
        self.retention = retention
    }

    /// The app's cache: 20 MB in memory and 100 MB on disk, in `Trunkline` below the user's caches directory.
    public static let shared = ResponseCache(
        disk: DiskCacheStore.defaultDirectory().map { DiskCacheStore(directory: $0) })

    /// A permission to store into the partition, to be taken when the request begins.
    public func ticket(for partition: CachePartition = .shared) -> CacheTicket {
        ledger.withLock { $0.ticket(for: partition) }
    }

    /// Whether the ticket's partition has not been cleared since the ticket was taken.
    public func isCurrent(_ ticket: CacheTicket) -> Bool {
        ledger.withLock { $0.isCurrent(ticket) }
    }

    /// The entry, if it is in memory or on its way to the disk. Returns at once; about a microsecond.
    ///
    /// - Parameters:
    ///   - key: the identity.
    ///   - now: the wall clock, for ``retention``.
    public func memoryResponse(for key: CacheKey, now: Date = Date()) -> CachedResponse? {
        if let entry = memory.response(for: key) {
            guard isRetained(entry, at: now) else { return nil }
            ledger.withLock { $0.statistics.memoryHits += 1 }
            return entry
        }
        return ledger.withLock { ledger in
            guard let entry = ledger.pending(for: key), isRetained(entry, at: now) else { return nil }
            ledger.statistics.memoryHits += 1
            return entry
        }
    }

    /// The entry from memory or disk, or nil. One found on disk goes to memory.
    public func response(for key: CacheKey, now: Date = Date()) async -> CachedResponse? {
        if let entry = memoryResponse(for: key, now: now) { return entry }
        if let disk, let entry = await read(key, from: disk, now: now) { return entry }
        ledger.withLock { $0.statistics.misses += 1 }
        return nil
    }

    private func read(_ key: CacheKey, from disk: any CacheStore, now: Date) async -> CachedResponse? {
        guard let version = ledger.withLock({ $0.beginReading(key) }) else { return nil }
        let entry = await disk.response(for: key)
        let isUntouched = ledger.withLock { ledger in
            defer { ledger.endReading(key) }
            guard ledger.isUntouched(key, since: version) else { return false }
            guard let entry, isRetained(entry, at: now) else { return true }
            ledger.statistics.diskHits += 1
            // Under the lock: a removal that comes now finds it in memory.
            memory.store(entry, for: key)
            return true
        }
        // Overtaken: by a newer entry, which counts, or by a removal, after which there is none.
        guard isUntouched else { return memoryResponse(for: key, now: now) }
        guard let entry else { return nil }
        guard isRetained(entry, at: now) else {
            await disk.remove(for: key)
            return nil
        }
        return entry
    }

    /// Stores the entry in both tiers in the place of an older one, and returns when it is on disk.
    ///
    /// - Parameters:
    ///   - response: the entry.
    ///   - key: its identity.
    ///   - ticket: the permission taken when the request began; nil means now.
    /// - Returns: whether it was accepted. False when the ticket's partition has been cleared since, or is another one
    ///   than the key's.
    @discardableResult
    public func store(_ response: CachedResponse, for key: CacheKey, ticket: CacheTicket? = nil) async -> Bool {
        guard let write = begin(response, for: key, ticket: ticket) else { return false }
        await write.run()
        return true
    }

    /// Stores the entry in memory at once and on disk when the disk has time. Returns at once; every reader of this
    /// cache sees the entry from now on. Parameters and result are those of ``store(_:for:ticket:)``.
    @discardableResult
    public func storeInBackground(_ response: CachedResponse, for key: CacheKey, ticket: CacheTicket? = nil) -> Bool {
        guard let write = begin(response, for: key, ticket: ticket) else { return false }
        if write.isNeeded { Task.detached(priority: .utility) { await write.run() } }
        return true
    }

    /// The second half of a store.
    private struct DiskWrite: Sendable {
        var isNeeded: Bool
        var run: @Sendable () async -> Void
    }

    /// The first half of a store: check, memory, and the note for readers; nil when refused.
    private func begin(_ response: CachedResponse, for key: CacheKey, ticket: CacheTicket?) -> DiskWrite? {
        let version: UInt64?? = ledger.withLock { ledger in
            let ticket = ticket ?? ledger.ticket(for: key.partition)
            guard ticket.partition == key.partition, ledger.isCurrent(ticket) else {
                ledger.statistics.refusals += 1
                return nil
            }
            ledger.statistics.stores += 1
            memory.store(response, for: key)
            guard disk != nil else { return .some(nil) }
            guard ledger.pendingBytes < ResponseCache.pendingLimit else {
                ledger.statistics.droppedWrites += 1
                ledger.overtake(key)
                return .some(nil)
            }
            return ledger.beginWriting(response, for: key)
        }
        guard let accepted = version else { return nil }
        guard let disk, let version = accepted else { return DiskWrite(isNeeded: false) {} }
        return DiskWrite(isNeeded: true) { [ledger] in
            _ = await disk.store(response, for: key) { ledger.withLock { $0.isUntouched(key, since: version) } }
            for waiter in ledger.withLock({ $0.endWriting(key, version: version) }) { waiter.resume() }
        }
    }

    /// Returns when every entry stored so far is on disk, or given up: before the app is suspended, and in tests.
    public func flush() async {
        await withCheckedContinuation { continuation in
            if !ledger.withLock({ $0.wait(continuation) }) { continuation.resume() }
        }
    }

    /// Removes the entry.
    public func remove(for key: CacheKey) async {
        await remove(.entry(key)) { ledger, memory in
            ledger.overtake(key)
            memory.remove(for: key)
        } from: {
            await $0.remove(for: key)
        }
    }

    /// Removes the entries of which the closure says so, from both tiers: those of a host, of a path, older than a date.
    ///
    /// Looks at every entry, so it takes a while on a large disk tier. Stores that are under way and may be of an unwanted
    /// entry are given up.
    ///
    /// - Parameter isUnwanted: asked at least once for every entry, on threads of the cache; must not call the cache.
    public func remove(where isUnwanted: @escaping @Sendable (CacheEntryDescription) -> Bool) async {
        ledger.withLock { ledger in
            ledger.beginRemoval(.chosen)
            ledger.overtake { key, entry in isUnwanted(CacheEntryDescription(entry, in: key.partition)) }
        }
        memory.remove(where: isUnwanted)
        await disk?.remove(where: isUnwanted)
        ledger.withLock { $0.endRemoval(.chosen) }
    }

    /// Removes every entry of the partition, files included, and ends its tickets: a store that began before is refused.
    /// Entries are out of reach before the disk is touched. A request in flight still gets its answer.
    public func clear(partition: CachePartition) async {
        await remove(.partition(partition)) { ledger, memory in
            ledger.clear(partition)
            memory.removeAll(in: partition)
        } from: {
            await $0.removeAll(in: partition)
        }
    }

    /// Removes everything and ends every ticket.
    public func removeAll() async {
        await remove(.all) { ledger, memory in
            ledger.clear(nil)
            memory.removeAll()
        } from: {
            await $0.removeAll()
        }
    }

    private func remove(
        _ removal: CacheLedger.Removal, fromMemory: (inout CacheLedger, MemoryCacheStore) -> Void,
        from fromDisk: (any CacheStore) async -> Void
    ) async {
        ledger.withLock { ledger in
            ledger.beginRemoval(removal)
            fromMemory(&ledger, memory)
        }
        if let disk { await fromDisk(disk) }
        ledger.withLock { $0.endRemoval(removal) }
    }

    /// Counts an answer the server has confirmed: told by who sends conditional requests.
    public func noteRevalidation() { ledger.withLock { $0.statistics.revalidations += 1 } }

    /// What happens inside the disk tier from now on; see ``CacheStore/events``. Ended where there is none.
    public var events: AsyncStream<CacheStoreEvent> { disk?.events ?? AsyncStream { $0.finish() } }

    /// What the cache has done and holds.
    public var statistics: CacheStatistics {
        get async {
            var statistics = ledger.withLock { $0.statistics }
            statistics.memory = memory.usage()
            if let disk { statistics.disk = await disk.usage() }
            return statistics
        }
    }

    /// Counts what the rules have done.
    func count(_ change: @Sendable (inout CacheStatistics) -> Void) {
        ledger.withLock { change(&$0.statistics) }
    }

    private func isRetained(_ entry: CachedResponse, at now: Date) -> Bool {
        guard let retention else { return true }
        return entry.age(at: now) < retention
    }
}
