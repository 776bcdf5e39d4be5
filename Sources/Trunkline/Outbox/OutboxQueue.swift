import Foundation

/// The entries of an outbox and what each lane may do next: a value, without files, tasks or clocks.
struct OutboxQueue: Sendable {
    /// An entry with what is stored of it.
    struct Item: Sendable {
        let record: OutboxRecord
        var entry: OutboxEntry
        /// The failures in this process, for the backoff.
        var failures = 0

        var id: UUID { record.id }
    }

    /// A pause before a lane's next attempt.
    struct Wait: Hashable, Sendable {
        let duration: Duration
        /// Whether it is over when the network is back: nobody has asked for it but the outbox itself.
        let endsWithNetwork: Bool
    }

    /// What a lane does now.
    enum Step: Sendable {
        case send(Item)
        case wait(Wait)
        case expire(Item, OutboxEvent.Expiry)
    }

    /// Whether the app has started it.
    var isStarted = false
    var isPaused = false
    var isReachable = true
    var isClosed = false

    private var lanes: [String: [Item]] = [:]
    /// The lanes that are being worked on.
    private var busy: Set<String> = []
    private var waits: [String: Wait] = [:]

    var isActive: Bool { isStarted && !isPaused && isReachable && !isClosed }

    /// All entries in the order they were enqueued.
    var items: [Item] { lanes.values.flatMap(\.self).sorted { $0.record.sequence < $1.record.sequence } }

    /// The entry, if it is still there.
    func item(_ ticket: OutboxTicket) -> Item? { lanes[ticket.lane]?.first { $0.id == ticket.id } }

    mutating func add(_ item: Item) { lanes[item.record.lane, default: []].append(item) }

    mutating func remove(_ ticket: OutboxTicket) -> Item? {
        guard let index = lanes[ticket.lane]?.firstIndex(where: { $0.id == ticket.id }) else { return nil }
        let item = lanes[ticket.lane]?.remove(at: index)
        if lanes[ticket.lane]?.isEmpty == true { lanes[ticket.lane] = nil }
        return item
    }

    mutating func update(_ item: Item) {
        guard let index = lanes[item.record.lane]?.firstIndex(where: { $0.id == item.id }) else { return }
        lanes[item.record.lane]?[index] = item
    }

    /// The lanes that have something to do and nobody who does it, marked as being worked on.
    mutating func takeIdleLanes() -> [String] {
        guard isActive else { return [] }
        let idle = lanes.filter { lane, items in items.first?.entry.state != .parked && !busy.contains(lane) }.keys
        busy.formUnion(idle)
        return idle.sorted()
    }

    /// What the lane does next; nil ends its work until it is taken again.
    mutating func next(_ lane: String, now: Date, _ configuration: OutboxConfiguration) -> Step? {
        guard isActive, var head = lanes[lane]?.first, head.entry.state != .parked else {
            busy.remove(lane)
            return nil
        }
        if let wait = waits.removeValue(forKey: lane) { return .wait(wait) }
        if OutboxDecision.isTooOld(created: head.entry.created, now: now, configuration) { return .expire(head, .age) }
        // Of an earlier process, which ended in the middle of the last one allowed.
        if let limit = configuration.maximumAttempts, head.entry.attempts >= limit { return .expire(head, .attempts) }
        head.entry.state = .sending
        head.entry.attempts += 1
        update(head)
        return .send(head)
    }

    /// The next step of the lane is to wait.
    mutating func delay(_ lane: String, by wait: Wait) { waits[lane] = wait }

    /// Notes whether there is a network.
    ///
    /// - Returns: whether it is back, so that waits for it are over.
    mutating func setReachable(_ isReachable: Bool) -> Bool {
        let isBack = isReachable && !self.isReachable
        self.isReachable = isReachable
        if isBack { waits = waits.filter { !$0.value.endsWithNetwork } }
        return isBack
    }

    /// Lets parked heads go again.
    mutating func unpark(_ lane: String?) {
        for (name, items) in lanes where lane == nil || lane == name {
            guard var head = items.first, head.entry.state == .parked else { continue }
            head.entry.state = .waiting
            head.failures = 0
            update(head)
        }
    }
}
