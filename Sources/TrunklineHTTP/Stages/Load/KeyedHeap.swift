/// A binary heap whose elements can be found by key: the least rank first, and any key removed or moved in O(log n).
struct KeyedHeap<Key: Hashable & Sendable, Rank: Comparable & Sendable>: Sendable {
    private struct Element: Sendable {
        let key: Key
        var rank: Rank
    }

    private var elements: [Element] = []
    private var positions: [Key: Int] = [:]

    var isEmpty: Bool { elements.isEmpty }
    var count: Int { elements.count }

    /// The element of the least rank.
    var first: (key: Key, rank: Rank)? { elements.first.map { ($0.key, $0.rank) } }

    /// Puts the key in its place, new or again.
    mutating func set(_ key: Key, rank: Rank) {
        if let position = positions[key] {
            elements[position].rank = rank
            restore(at: position)
        } else {
            positions[key] = elements.count
            elements.append(Element(key: key, rank: rank))
            siftUp(from: elements.count - 1)
        }
    }

    /// Takes the element of the least rank out.
    mutating func popFirst() -> Key? {
        guard let key = elements.first?.key else { return nil }
        remove(key)
        return key
    }

    /// Takes the key out; false when it is not in.
    @discardableResult
    mutating func remove(_ key: Key) -> Bool {
        guard let position = positions.removeValue(forKey: key) else { return false }
        let last = elements.removeLast()
        if position < elements.count {
            elements[position] = last
            positions[last.key] = position
            restore(at: position)
        }
        // A queue that was long once must not keep its memory for ever.
        if elements.isEmpty {
            elements = []
            positions = [:]
        }
        return true
    }

    private mutating func restore(at position: Int) {
        siftDown(from: siftUp(from: position))
    }

    @discardableResult
    private mutating func siftUp(from start: Int) -> Int {
        var position = start
        while position > 0 {
            let parent = (position - 1) / 2
            guard elements[position].rank < elements[parent].rank else { break }
            swap(position, parent)
            position = parent
        }
        return position
    }

    private mutating func siftDown(from start: Int) {
        var position = start
        while true {
            let left = 2 * position + 1
            guard left < elements.count else { return }
            let right = left + 1
            let least = right < elements.count && elements[right].rank < elements[left].rank ? right : left
            guard elements[least].rank < elements[position].rank else { return }
            swap(position, least)
            position = least
        }
    }

    private mutating func swap(_ one: Int, _ other: Int) {
        elements.swapAt(one, other)
        positions[elements[one].key] = one
        positions[elements[other].key] = other
    }
}
