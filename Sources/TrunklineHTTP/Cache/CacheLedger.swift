/// What a response cache keeps in mind beside its tiers, all under one lock: how often partitions were cleared, and which
/// entries are on their way to or from the disk.
///
/// A key has an account only while an operation on it is under way. Its version changes with every store and removal,
/// so an operation can tell at its end whether it was overtaken.
struct CacheLedger: Sendable {
    private struct Account: Sendable {
        var operations = 0
        var version: UInt64 = 0
        var pending: CachedResponse?
    }

    private var epoch: UInt64 = 0
    private var generations: [CachePartition: UInt64] = [:]
    private var accounts: [CacheKey: Account] = [:]

    /// Writes under way, and who waits for their end.
    private var writes = 0
    private var waiters: [CheckedContinuation<Void, Never>] = []

    /// What is being removed, how many times over.
    private var removals: [Removal: Int] = [:]

    /// What a removal takes away.
    enum Removal: Hashable, Sendable {
        case entry(CacheKey)
        case partition(CachePartition)
        case all
        /// Some entries, chosen by what they are: no key can be told to be none of them.
        case chosen
    }

    /// Bytes of the entries that wait to be written.
    private(set) var pendingBytes = 0
    var statistics = CacheStatistics()

    func ticket(for partition: CachePartition) -> CacheTicket {
        CacheTicket(partition: partition, generation: generations[partition] ?? 0, epoch: epoch)
    }

    func isCurrent(_ ticket: CacheTicket) -> Bool { ticket == self.ticket(for: ticket.partition) }

    /// The entry that waits to be written for the key.
    func pending(for key: CacheKey) -> CachedResponse? {
        accounts.isEmpty ? nil : accounts[key]?.pending
    }

    /// Begins a removal: until its end, no read goes to the disk, where it might be quicker than the removal and bring back
    /// what was removed.
    mutating func beginRemoval(_ removal: Removal) { removals[removal, default: 0] += 1 }

    mutating func endRemoval(_ removal: Removal) {
        removals[removal, default: 1] -= 1
        if removals[removal] == 0 { removals[removal] = nil }
    }

    private func isBeingRemoved(_ key: CacheKey) -> Bool {
        guard !removals.isEmpty else { return false }
        return [.all, .chosen, .partition(key.partition), .entry(key)].contains { removals[$0] != nil }
    }

    /// Begins a read; the result is for ``isUntouched(_:since:)``. Nil while a removal of the entry is under way.
    mutating func beginReading(_ key: CacheKey) -> UInt64? {
        if isBeingRemoved(key) { return nil }
        accounts[key, default: Account()].operations += 1
        return accounts[key]?.version ?? 0
    }

    mutating func endReading(_ key: CacheKey) {
        accounts[key]?.operations -= 1
        if accounts[key]?.operations == 0 { accounts[key] = nil }
    }

    /// Begins a write: operations on the key that are under way are overtaken.
    ///
    /// - Parameter entry: what readers are to see meanwhile; nil where that is still the older entry.
    mutating func beginWriting(_ entry: CachedResponse?, for key: CacheKey) -> UInt64 {
        overtake(key)
        writes += 1
        accounts[key, default: Account()].operations += 1
        if let entry {
            accounts[key]?.pending = entry
            pendingBytes += entry.cost
        }
        return accounts[key]?.version ?? 0
    }

    /// Ends a write; its entry no longer waits unless a newer one does. Returns who waited for the last write.
    mutating func endWriting(_ key: CacheKey, version: UInt64) -> [CheckedContinuation<Void, Never>] {
        if isUntouched(key, since: version) { dropPending(key) }
        endReading(key)
        writes -= 1
        guard writes == 0 else { return [] }
        defer { waiters = [] }
        return waiters
    }

    /// Has the continuation wait for the end of all writes; false when there is none and it should go on.
    mutating func wait(_ continuation: CheckedContinuation<Void, Never>) -> Bool {
        guard writes > 0 else { return false }
        waiters.append(continuation)
        return true
    }

    /// Whether no store and no removal of the key came since the operation began.
    func isUntouched(_ key: CacheKey, since version: UInt64) -> Bool { accounts[key]?.version == version }

    /// Makes the operations on the key that are under way out of date.
    mutating func overtake(_ key: CacheKey) {
        guard accounts[key] != nil else { return }
        dropPending(key)
        accounts[key]?.version += 1
    }

    /// Makes the operations out of date that may be about an unwanted entry: writes of one, and reads, of which it is not
    /// known yet what they find.
    mutating func overtake(where isUnwanted: (CacheKey, CachedResponse) -> Bool) {
        for (key, account) in accounts where account.pending.map({ isUnwanted(key, $0) }) ?? true { overtake(key) }
    }

    /// Ends the tickets of the partition, or all of them.
    mutating func clear(_ partition: CachePartition?) {
        if let partition { generations[partition, default: 0] += 1 } else { epoch += 1 }
        for key in Array(accounts.keys) where partition == nil || key.partition == partition { overtake(key) }
    }

    private mutating func dropPending(_ key: CacheKey) {
        guard let entry = accounts[key]?.pending else { return }
        pendingBytes -= entry.cost
        accounts[key]?.pending = nil
    }
}
