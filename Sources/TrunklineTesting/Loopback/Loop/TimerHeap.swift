/// Deadlines in order: a binary heap. Entries are never taken out early; who set one looks again when it fires.
struct TimerHeap<Item> {
    private var entries: [(deadline: ContinuousClock.Instant, item: Item)] = []

    /// The earliest deadline.
    var first: ContinuousClock.Instant? { entries.first?.deadline }

    mutating func add(_ item: Item, at deadline: ContinuousClock.Instant) {
        entries.append((deadline, item))
        var child = entries.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard entries[child].deadline < entries[parent].deadline else { break }
            entries.swapAt(child, parent)
            child = parent
        }
    }

    /// Takes out the earliest item if its deadline has come.
    mutating func next(at now: ContinuousClock.Instant) -> Item? {
        guard let first = entries.first, first.deadline <= now else { return nil }
        let last = entries.count - 1
        entries.swapAt(0, last)
        entries.removeLast()
        var parent = 0
        while true {
            var smallest = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < entries.count {
                if entries[child].deadline < entries[smallest].deadline { smallest = child }
            }
            guard smallest != parent else { break }
            entries.swapAt(parent, smallest)
            parent = smallest
        }
        return first.item
    }
}
