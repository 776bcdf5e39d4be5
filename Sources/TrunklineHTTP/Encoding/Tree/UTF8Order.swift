import Foundation

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
        return Array(lhs.utf8).withUnsafeBufferPointer { left in
            Array(rhs.utf8).withUnsafeBufferPointer { right in compare(left, right) }
        }
    }

    /// The members of an object in the order of their names. Names in ASCII, as nearly all are, compare by bytes in
    /// Swift's own order too, which is many times faster than any other way to their bytes.
    static func sorted<Value>(_ members: [String: Value]) -> [(key: String, value: Value)] {
        if members.keys.allSatisfy(isASCII) { return members.sorted { $0.key < $1.key } }
        return members.sorted { precedes($0.key, $1.key) }
    }

    private static func isASCII(_ text: String) -> Bool { text.utf8.allSatisfy { $0 < 0x80 } }

    private static func compare(_ lhs: UnsafeBufferPointer<UInt8>, _ rhs: UnsafeBufferPointer<UInt8>) -> Int {
        let common = min(lhs.count, rhs.count)
        if common > 0, let left = lhs.baseAddress, let right = rhs.baseAddress {
            let order = memcmp(left, right, common)
            if order != 0 { return Int(order) }
        }
        return lhs.count - rhs.count
    }
}
