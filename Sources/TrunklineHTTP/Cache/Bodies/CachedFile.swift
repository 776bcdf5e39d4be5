import Foundation

/// The content of a stored answer that is left on the disk: an open file, which stays readable when its entry is replaced
/// or removed.
///
/// Every piece is checked before it is given out. Damage is an error to the reader, and removes the entry. Reading happens
/// on threads of its own, a piece of at most 64 KB at a time, in the order of the calls. Safe to use from any task.
public final class CachedFile: Hashable, Sendable {
    /// The number of bytes.
    public let count: Int64
    private let start: Int64
    let blocks: CacheEntryBlocks

    init(_ blocks: CacheEntryBlocks) {
        self.blocks = blocks
        start = 0
        count = blocks.count
    }

    private init(_ blocks: CacheEntryBlocks, start: Int64, count: Int64) {
        self.blocks = blocks
        self.start = start
        self.count = count
    }

    /// Whether it is the whole content of its entry.
    var isWhole: Bool { count == blocks.count }

    /// A part of the content, over the same open file.
    ///
    /// - Parameter range: byte positions from 0.
    /// - Returns: nil when the range is not within the content.
    public func slice(_ range: Range<Int64>) -> CachedFile? {
        guard range.lowerBound >= 0, range.upperBound <= count else { return nil }
        return CachedFile(blocks, start: start + range.lowerBound, count: range.upperBound - range.lowerBound)
    }

    /// The content as a stream for one reader; see ``CachedBody/chunks()``.
    public func chunks() -> ResponseBody.Chunks {
        let position = Protected<Int64>(0)
        return ResponseBody.Chunks { [self] in
            if Task.isCancelled { throw HTTPError.cancelled }
            let at = position.current
            guard at < count else { return nil }
            let piece = try await CachedFile.perform { () throws(HTTPError) in try self.piece(at: at) }
            position.withLock { $0 = at + Int64(piece.count) }
            return piece
        }
    }

    /// The whole content in memory.
    public func contents() async throws(HTTPError) -> Data {
        try await CachedFile.perform { () throws(HTTPError) in
            var data = Data()
            data.reserveCapacity(Int(clamping: self.count))
            do { try self.read { data.append($0) } } catch { throw HTTPError(error) }
            return data
        }
    }

    /// Reads the content piece by piece on the calling thread.
    func read(_ take: (Data) throws -> Void) throws {
        var position: Int64 = 0
        while position < count {
            let piece = try piece(at: position)
            position += Int64(piece.count)
            try take(piece)
        }
    }

    /// The bytes from `position`, which is within the content, to the end of their block or of the content.
    private func piece(at position: Int64) throws(HTTPError) -> Data {
        try blocks.bytes(at: start + position, limit: count - position)
    }

    /// The same open file, part and all.
    public static func == (lhs: CachedFile, rhs: CachedFile) -> Bool {
        lhs.blocks === rhs.blocks && lhs.start == rhs.start && lhs.count == rhs.count
    }

    /// Hashes the identity of the open file and the part.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(blocks))
        hasher.combine(start)
        hasher.combine(count)
    }

    /// Does blocking work away from the threads of Swift concurrency.
    static func perform<Value: Sendable>(
        _ work: @escaping @Sendable () throws(HTTPError) -> Value
    ) async throws(HTTPError) -> Value {
        try await CacheQueues.run { Result(catching: work) }.get()
    }
}
