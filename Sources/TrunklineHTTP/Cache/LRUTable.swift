/// A dictionary that knows the order its entries were last used in and the sum of their costs. Every operation on one
/// entry takes constant time: the order is a doubly linked list threaded through an array by index.
struct LRUTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Node: Sendable {
        var key: Key
        var value: Value
        var cost: Int
        var newer: Int
        var older: Int
    }

    /// Stands for "no node" in links.
    private static var none: Int { -1 }

    private var slots: [Node?] = []
    private var free: [Int] = []
    private var index: [Key: Int] = [:]
    private var newest = -1
    private var oldest = -1

    /// 64 bits wide on every platform, so that the sizes of strange files can't overflow it.
    private var total: Int64 = 0

    /// The sum of the costs.
    var cost: Int { Int(clamping: total) }

    /// The number of entries.
    var count: Int { index.count }

    /// The keys, in no particular order.
    var keys: some Collection<Key> { index.keys }

    /// The key used least recently.
    var oldestKey: Key? { oldest >= 0 ? slots[oldest]?.key : nil }

    /// The value, which becomes the most recently used.
    mutating func use(_ key: Key) -> Value? {
        guard let slot = index[key] else { return nil }
        if slot != newest {
            unlink(slot)
            linkNewest(slot)
        }
        return slots[slot]?.value
    }

    /// The value, the order unchanged.
    func peek(_ key: Key) -> Value? { index[key].flatMap { slots[$0]?.value } }

    /// Puts the value in, as the most recently used, in the place of an older one.
    mutating func insert(_ value: Value, for key: Key, cost newCost: Int) {
        _ = remove(key)
        let node = Node(key: key, value: value, cost: newCost, newer: Self.none, older: Self.none)
        let slot: Int
        if let reused = free.popLast() {
            slot = reused
            slots[slot] = node
        } else {
            slot = slots.count
            slots.append(node)
        }
        index[key] = slot
        total += Int64(newCost)
        linkNewest(slot)
    }

    /// Takes the entry out.
    @discardableResult
    mutating func remove(_ key: Key) -> Value? {
        guard let slot = index.removeValue(forKey: key), let node = slots[slot] else { return nil }
        unlink(slot)
        slots[slot] = nil
        free.append(slot)
        total -= Int64(node.cost)
        return node.value
    }

    /// Takes everything out.
    mutating func removeAll() { self = LRUTable() }

    private mutating func unlink(_ slot: Int) {
        guard let node = slots[slot] else { return }
        if node.newer >= 0 { slots[node.newer]?.older = node.older } else { newest = node.older }
        if node.older >= 0 { slots[node.older]?.newer = node.newer } else { oldest = node.newer }
    }

    private mutating func linkNewest(_ slot: Int) {
        slots[slot]?.newer = Self.none
        slots[slot]?.older = newest
        if newest >= 0 { slots[newest]?.newer = slot } else { oldest = slot }
        newest = slot
    }
}
