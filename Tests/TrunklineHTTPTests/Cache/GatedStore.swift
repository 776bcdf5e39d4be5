import Foundation

@testable import TrunklineHTTP

/// A store of one entry whose operations, removals apart, wait at a gate: to put operations in an order.
final class GatedStore: CacheStore {
    private struct State: Sendable {
        var isOpen = false
        var waiters: [CheckedContinuation<Void, Never>] = []
        var entry: CachedResponse?
        var outcomes: [CacheStoreOutcome] = []
    }

    private let state = Protected(State())

    /// The number of operations that wait at the gate.
    var waiting: Int { state.withLock { $0.waiters.count } }
    var outcomes: [CacheStoreOutcome] { state.withLock { $0.outcomes } }
    var entry: CachedResponse? { state.withLock { $0.entry } }

    func plant(_ entry: CachedResponse) { state.withLock { $0.entry = entry } }

    func close() { state.withLock { $0.isOpen = false } }

    func open() {
        let waiters = state.withLock { state in
            state.isOpen = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    private func pass() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiters.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }

    func response(for key: CacheKey) async -> CachedResponse? {
        let found = entry
        await pass()
        return found
    }

    func store(
        _ response: CachedResponse, for key: CacheKey, if isCurrent: @escaping @Sendable () -> Bool
    ) async -> CacheStoreOutcome {
        await pass()
        let outcome = isCurrent() ? CacheStoreOutcome.stored : .outdated
        state.withLock { state in
            if outcome == .stored { state.entry = response }
            state.outcomes.append(outcome)
        }
        return outcome
    }

    func remove(for key: CacheKey) async { state.withLock { $0.entry = nil } }

    func remove(where isUnwanted: @escaping @Sendable (CacheEntryDescription) -> Bool) async {
        state.withLock { state in
            if let entry = state.entry, isUnwanted(CacheEntryDescription(entry, in: .shared)) { state.entry = nil }
        }
    }

    func removeAll(in partition: CachePartition) async { state.withLock { $0.entry = nil } }

    func removeAll() async { state.withLock { $0.entry = nil } }

    func usage() async -> CacheUsage { CacheUsage(entries: entry == nil ? 0 : 1) }
}
