/// The order of names in everything the library writes: by UTF-8 bytes, the same on every platform and run. Swift's own
/// `<` on strings follows Unicode's canonical order instead.
enum UTF8Order {
    /// Whether `lhs` comes before `rhs`.
    static func precedes(_ lhs: String, _ rhs: String) -> Bool { compare(lhs, rhs) < 0 }

    /// Below, at or above zero, like `memcmp`.
    static func compare(_ lhs: String, _ rhs: String) -> Int {
        let fast = lhs.utf8.withContiguousStorageIfAvailable { left in
            rhs.utf8.withContiguousStorageIfAvailable { right in compare(left, right) }
        }
        if let order = fast.flatMap({ $0 }) { return order }
        return compare(Array(lhs.utf8), Array(rhs.utf8))
    }

    private static func compare<Bytes: RandomAccessCollection<UInt8>>(_ lhs: Bytes, _ rhs: Bytes) -> Int {
        for (left, right) in zip(lhs, rhs) where left != right { return Int(left) - Int(right) }
        return lhs.count - rhs.count
    }
}
