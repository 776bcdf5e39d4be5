import Foundation

/// An entry's file while it is written, under a temporary name: the body as it comes, the head last. Until it is moved to
/// its place it is removed with this object. Used by one task at a time.
final class CacheEntryDraft {
    /// Why an entry could not be written.
    enum Failure: Error {
        case system(FileSystem.Failure)
        /// The sealer threw, or its sealed forms are not as long as they must be.
        case sealer(String)
    }

    private let file: FileSystem.Descriptor
    let path: String
    private let seal: CacheEntrySeal?
    private var prelude: CacheEntryPrelude
    private var table = ByteWriter(capacity: 64)
    /// Bytes that don't fill a block yet.
    private var rest = Data()
    private var position: Int64
    /// What the sealer adds to a block.
    private var overhead: Int?
    private var isMoved = false

    /// Creates the file.
    ///
    /// - Parameters:
    ///   - headRoom: what the stored head will take at most.
    ///   - seal: seals head and blocks.
    init(_ path: String, identity: UInt64, headRoom: Int, seal: CacheEntrySeal?) throws(FileSystem.Failure) {
        file = try FileSystem.create(path)
        self.path = path
        self.seal = seal
        prelude = CacheEntryPrelude(identity: identity)
        prelude.isSealed = seal != nil
        prelude.headRoom = headRoom
        position = prelude.bodyStart
        // Tells other processes that somebody still writes it; where there are no locks, its age does.
        _ = FileSystem.lock(file)
    }

    deinit {
        if !isMoved { try? FileSystem.delete(path) }
    }

    /// Content bytes so far.
    var count: Int64 { prelude.bodyLength }
    /// What the file will take, all in all.
    var fileLength: Int64 { prelude.fileLength }

    /// Adds content.
    func append(_ bytes: Data) throws(Failure) {
        prelude.bodyLength += Int64(bytes.count)
        var bytes = bytes
        if !rest.isEmpty {
            let wanted = min(bytes.count, prelude.blockLength - rest.count)
            rest.append(bytes.prefix(wanted))
            bytes = bytes.dropFirst(wanted)
            guard rest.count == prelude.blockLength else { return }
            try write(rest)
            rest = Data()
        }
        let whole = bytes.count - bytes.count % prelude.blockLength
        if whole > 0 { try write(bytes.prefix(whole)) }
        rest = Data(bytes.dropFirst(whole))
    }

    /// Writes the last block, the table, and the head with what tells them apart from damage.
    ///
    /// - Parameter head: the stored form of the head.
    /// - Returns: the file's length; nil when there is no room for the head.
    func finish(head: [UInt8]) throws(Failure) -> Int64? {
        guard head.count <= prelude.headRoom, head.count <= CacheEntryPrelude.headLimit else { return nil }
        if !rest.isEmpty { try write(rest) }
        rest = Data()
        prelude.headLength = head.count
        prelude.storedBlockLength = prelude.blockLength + (overhead ?? 0)
        prelude.tableChecksum = Checksum.of(table.bytes)
        do {
            if !table.bytes.isEmpty { try FileSystem.write(file.raw, table.bytes, at: prelude.tableStart) }
            try FileSystem.write(file.raw, prelude.bytes(withHead: head) + head, at: 0)
        } catch {
            throw .system(error)
        }
        return prelude.fileLength
    }

    /// Says that the finished file was moved to its place.
    func wasMoved() { isMoved = true }

    /// The stored form of a head.
    static func head(_ bytes: [UInt8], _ seal: CacheEntrySeal?) throws(Failure) -> [UInt8] {
        guard let seal else { return bytes }
        do {
            return try [UInt8](seal.seal(bytes, CacheEntrySeal.head))
        } catch {
            throw .sealer("\(error)")
        }
    }

    /// Writes blocks: any number of whole ones, or the last.
    private func write(_ content: Data) throws(Failure) {
        var stored = content
        if let seal {
            stored = Data()
            var rest = content
            while !rest.isEmpty {
                let block = rest.prefix(prelude.blockLength)
                rest = rest.dropFirst(block.count)
                let sealed: Data
                do {
                    sealed = try seal.seal(block, Int64(table.bytes.count / 8))
                } catch {
                    throw .sealer("\(error)")
                }
                try note(overhead: sealed.count - block.count)
                sum(sealed)
                stored.append(sealed)
            }
        } else {
            var rest = content
            while !rest.isEmpty {
                sum(rest.prefix(prelude.blockLength))
                rest = rest.dropFirst(prelude.blockLength)
            }
        }
        do {
            try FileSystem.write(file.raw, stored, at: position)
        } catch {
            throw .system(error)
        }
        position += Int64(stored.count)
    }

    private func note(overhead new: Int) throws(Failure) {
        if let overhead, overhead != new {
            throw .sealer("sealing has to add the same number of bytes each time; it added \(overhead), then \(new)")
        }
        guard (0...CacheEntryPrelude.blockLength).contains(new) else {
            throw .sealer("sealing added \(new) bytes to a piece, which is not for a cache")
        }
        overhead = new
    }

    private func sum(_ block: Data) { table.fixed(block.withUnsafeBytes { Checksum.of($0) }) }
}
