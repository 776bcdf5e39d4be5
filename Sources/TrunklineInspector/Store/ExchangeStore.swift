import Foundation
import TrunklineHTTP

/// The last exchanges, in the order they began, bounded in number and bytes.
final class ExchangeStore: Sendable {
    /// What changed since a revision.
    struct Changes: Sendable {
        /// The revision it leads to.
        let revision: Int
        /// Whether ``records`` are all there are, and what was known before is to be dropped.
        let isWhole: Bool
        /// The changed ones, oldest first.
        let records: [ExchangeRecord]
        let removed: [RequestID]
    }

    private struct State: Sendable {
        var records: [RequestID: ExchangeRecord] = [:]
        /// Oldest first.
        var order: [RequestID] = []
        var cost = 0
        var revision = 0
        /// The last removals, oldest first.
        var removals: [(revision: Int, id: RequestID)] = []
        /// The revision up to which removals are forgotten.
        var forgotten = 0
    }

    /// How many removals are remembered; a reader that is further behind starts anew.
    private static let mostRemovals = 1000

    private let redaction: Redaction
    private let maximumExchanges: Int
    private let maximumBytes: Int
    private let maximumBodyBytes: Int
    private let state = Protected(State())
    /// Tells that something changed.
    let news = Broadcast<Void>(.bufferingNewest(1))

    init(redaction: Redaction, maximumExchanges: Int, maximumBytes: Int, maximumBodyBytes: Int) {
        self.redaction = redaction
        self.maximumExchanges = max(1, maximumExchanges)
        self.maximumBytes = max(0, maximumBytes)
        self.maximumBodyBytes = min(max(0, maximumBodyBytes), max(0, maximumBytes))
    }

    /// How many there are.
    var count: Int { state.withLock { $0.order.count } }
    /// The bytes they take, roughly.
    var cost: Int { state.withLock { $0.cost } }

    /// All of them, oldest first.
    var records: [ExchangeRecord] { state.withLock { state in state.order.compactMap { state.records[$0] } } }

    /// The exchange of the request with this number.
    func record(_ number: UInt64) -> ExchangeRecord? {
        state.withLock { state in state.order.first { $0.value == number }.flatMap { state.records[$0] } }
    }

    func receive(_ event: Event) {
        guard let happening = Happening(event, redaction: redaction, maximumBodyBytes: maximumBodyBytes) else { return }
        // What is let go of is released outside the lock.
        let released: [ExchangeRecord]? = state.withLock { state in
            if case .created(let request) = happening.change {
                guard state.records[happening.id] == nil else { return nil }
                state.order.append(happening.id)
                put(ExchangeRecord(happening, request: request), into: &state)
            } else {
                // A request that was dropped, or began before the inspector heard of it.
                guard var record = state.records.removeValue(forKey: happening.id) else { return nil }
                state.cost -= record.cost
                record.apply(happening, limit: maximumBytes / 2)
                put(record, into: &state)
            }
            return evict(from: &state)
        }
        if released != nil { news.send(()) }
    }

    /// Drops the exchanges that have ended.
    func clear() {
        let released = state.withLock { state in
            state.order.filter { state.records[$0]?.end != nil }.compactMap { remove($0, from: &state) }
        }
        if !released.isEmpty { news.send(()) }
    }

    /// What changed since a revision; everything for 0 and for a revision that is too old or not of this store.
    func changes(since revision: Int) -> Changes {
        state.withLock { state in
            let isWhole = revision <= 0 || revision < state.forgotten || revision > state.revision
            let since = isWhole ? 0 : revision
            return Changes(
                revision: state.revision, isWhole: isWhole,
                records: state.order.compactMap { state.records[$0] }.filter { $0.revision > since },
                removed: isWhole ? [] : state.removals.filter { $0.revision > since }.map(\.id))
        }
    }

    // MARK: - With the lock held

    private func put(_ record: ExchangeRecord, into state: inout State) {
        var record = record
        state.revision += 1
        record.revision = state.revision
        state.cost += record.cost
        state.records[record.id] = record
    }

    /// Drops the oldest that have ended, then the oldest.
    private func evict(from state: inout State) -> [ExchangeRecord] {
        var released: [ExchangeRecord] = []
        while state.order.count > maximumExchanges || state.cost > maximumBytes {
            let ended = state.order.first { state.records[$0]?.end != nil }
            guard let victim = ended ?? state.order.first, let record = remove(victim, from: &state) else { break }
            released.append(record)
        }
        return released
    }

    private func remove(_ id: RequestID, from state: inout State) -> ExchangeRecord? {
        if let index = state.order.firstIndex(of: id) { state.order.remove(at: index) }
        guard let record = state.records.removeValue(forKey: id) else { return nil }
        state.cost -= record.cost
        state.revision += 1
        state.removals.append((state.revision, id))
        if state.removals.count > ExchangeStore.mostRemovals {
            state.forgotten = state.removals.removeFirst().revision
        }
        return record
    }
}
