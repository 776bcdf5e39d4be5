import Foundation

/// The tier in memory: least recently used entries go first, bounded by bytes and by number. Every method returns at
/// once and may be called from any thread; those on one entry take constant time.
public final class MemoryCacheStore: CacheStore {
    /// The most it holds, in bytes, its own overhead included roughly.
    public let capacity: Int
    /// The most entries it holds.
    public let entryLimit: Int

    private struct State: Sendable {
        var table = LRUTable<CacheKey, CachedResponse>()
        var evictions = 0
    }

    private let state = Protected(State())

    /// Makes an empty store.
    ///
    /// - Parameters:
    ///   - capacity: bytes, by default 20 MB; an entry larger than a quarter of it is not kept.
    ///   - entryLimit: by default 10,000 entries.
    public init(capacity: Int = 20_000_000, entryLimit: Int = 10_000) {
        self.capacity = max(0, capacity)
        self.entryLimit = max(0, entryLimit)
    }

    public func response(for key: CacheKey) -> CachedResponse? {
        state.withLock { $0.table.use(key) }
    }

    @discardableResult
    public func store(
        _ response: CachedResponse, for key: CacheKey, if isCurrent: @escaping @Sendable () -> Bool
    ) -> CacheStoreOutcome {
        guard isCurrent() else { return .outdated }
        return store(response, for: key)
    }

    /// Stores the entry in the place of an older one. One whose body is in a file is not for memory.
    @discardableResult
    public func store(_ response: CachedResponse, for key: CacheKey) -> CacheStoreOutcome {
        let cost = response.cost + key.encoding.count
        return state.withLock { state in
            guard response.body.data != nil, cost <= capacity / 4, entryLimit > 0 else {
                state.table.remove(key)
                return .tooLarge
            }
            state.table.insert(response, for: key, cost: cost)
            while state.table.cost > capacity || state.table.count > entryLimit, let oldest = state.table.oldestKey {
                state.table.remove(oldest)
                state.evictions += 1
            }
            return .stored
        }
    }

    public func remove(for key: CacheKey) {
        state.withLock { _ = $0.table.remove(key) }
    }

    public func remove(where isUnwanted: @Sendable (CacheEntryDescription) -> Bool) {
        // Not under the lock: the closure is the app's.
        let entries = state.withLock { state in
            state.table.keys.compactMap { key in state.table.peek(key).map { (key, $0) } }
        }
        for (key, entry) in entries where isUnwanted(CacheEntryDescription(entry, in: key.partition)) {
            state.withLock { state in
                if state.table.peek(key) == entry { state.table.remove(key) }
            }
        }
    }

    public func removeAll(in partition: CachePartition) {
        state.withLock { state in
            for key in Array(state.table.keys) where key.partition == partition { state.table.remove(key) }
        }
    }

    public func removeAll() {
        state.withLock { $0.table.removeAll() }
    }

    public func usage() -> CacheUsage {
        state.withLock {
            CacheUsage(entries: $0.table.count, bytes: $0.table.cost, evictions: $0.evictions)
        }
    }
}
