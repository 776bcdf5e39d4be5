import Foundation

/// The file of a recorder: whole after every entry, and bounded.
struct HARWriter: Sendable {
    private let file: URL
    private let limit: Int64?
    private var handle: FileHandle?
    /// The bytes before the first entry.
    private var head: Data
    /// The bytes of each entry, without what stands between them.
    private var lengths: [Int] = []
    /// Where the end of the log stands, which the next entry takes the place of.
    private var position: Int64 = 0
    private(set) var dropped = 0
    private(set) var failure: HTTPError?

    init(_ file: URL, entries: [HAREntry], limit: Int64?) throws(HTTPError) {
        self.file = file
        self.limit = limit
        do {
            head = try HARFraming.head(creator: .trunkline, comment: nil)
            let lines = try entries.map { try HARFraming.line($0) }
            lengths = lines.map(\.count)
            try begin(Data(lines.joined(separator: HARFraming.separator)))
        } catch {
            throw HARWriter.failure(file, error)
        }
    }

    var count: Int { lengths.count }

    mutating func append(_ entry: HAREntry) {
        guard let handle, failure == nil else { return }
        do {
            var line = try HARFraming.line(entry)
            if let limit, position + Int64(line.count + HARFraming.separator.count + HARFraming.tail.count) > limit {
                guard Int64(head.count + line.count + HARFraming.tail.count) <= limit / 2 else {
                    dropped += 1
                    return
                }
                try halve()
                return append(entry)
            }
            let length = line.count
            if !lengths.isEmpty { line = HARFraming.separator + line }
            try handle.seek(toOffset: UInt64(position))
            try handle.write(contentsOf: line + HARFraming.tail)
            position += Int64(line.count)
            lengths.append(length)
        } catch {
            failure = HARWriter.failure(file, error)
            close()
        }
    }

    mutating func close() {
        try? handle?.synchronize()
        try? handle?.close()
        handle = nil
    }

    /// Drops the older entries until half of the room is free.
    private mutating func halve() throws {
        guard let handle, let limit else { return }
        var size = 0
        var kept = 0
        while kept < lengths.count {
            size += lengths[lengths.count - 1 - kept] + HARFraming.separator.count
            if Int64(head.count + size) > limit / 2 { break }
            kept += 1
        }
        let room = Array(lengths.suffix(kept))
        dropped += lengths.count - kept
        let bytes = room.reduce(0, +) + max(0, kept - 1) * HARFraming.separator.count
        try handle.seek(toOffset: UInt64(max(0, position - Int64(bytes))))
        let entries = kept > 0 ? try handle.read(upToCount: bytes) ?? Data() : Data()
        head = try HARFraming.head(creator: .trunkline, comment: "\(dropped) older entries were dropped")
        lengths = room
        try begin(entries)
    }

    /// Puts a file with these entries in the place, in one step, and goes on with it.
    private mutating func begin(_ entries: Data) throws {
        try? handle?.close()
        handle = nil
        let new = try PartialFile(for: file, permissions: 0o600)
        do {
            try new.write(head + entries + HARFraming.tail)
            try new.commit()
        } catch {
            new.discard()
            throw error
        }
        handle = try FileHandle(forUpdating: file)
        position = Int64(head.count + entries.count)
    }

    private static func failure(_ file: URL, _ error: any Error) -> HTTPError {
        if let error = error as? HTTPError { return error }
        return .file(FileFailure(url: file, operation: .write, reason: error.localizedDescription))
    }
}
