import Foundation

/// Bytes received and not yet consumed.
struct InputBuffer {
    private var bytes: [UInt8] = []
    private var start = 0

    /// How many bytes there are.
    var count: Int { bytes.count - start }
    var isEmpty: Bool { bytes.count == start }

    mutating func append(_ new: UnsafeRawBufferPointer) {
        bytes.append(contentsOf: new.bindMemory(to: UInt8.self))
    }

    /// Removes the first `count` bytes.
    mutating func consume(_ count: Int) {
        start += min(count, self.count)
        if start == bytes.count {
            bytes.removeAll(keepingCapacity: bytes.capacity <= 128 << 10)
            start = 0
        } else if start > 64 << 10 {
            bytes.removeSubrange(..<start)
            start = 0
        }
    }

    mutating func removeAll() {
        bytes = []
        start = 0
    }

    /// Removes all bytes and gives them.
    mutating func takeAll() -> Data {
        defer { removeAll() }
        return Data(bytes[start...])
    }

    /// Calls `body` with all bytes.
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try bytes.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[start...])) }
    }
}

extension UnsafeRawBufferPointer {
    /// The place of the first `byte` at or after `offset`.
    func firstIndex(of byte: UInt8, from offset: Int) -> Int? {
        guard offset < count, let base = baseAddress else { return nil }
        guard let found = memchr(base + offset, Int32(byte), count - offset) else { return nil }
        return UnsafeRawPointer(found) - base
    }
}
