import Foundation

/// The blocks of an entry's body in its open file, with their checksums in memory.
final class CacheEntryBlocks: Sendable {
    private let file: FileSystem.OpenFile
    private let prelude: CacheEntryPrelude
    private let table: [UInt64]
    private let seal: CacheEntrySeal?
    private let url: URL
    private let onDamage: @Sendable () -> Void

    /// - Parameters:
    ///   - table: as many checksums as the prelude has blocks, found sound.
    ///   - url: the file, to name it in errors.
    ///   - onDamage: called when a block turns out to be damaged.
    init(
        _ file: FileSystem.OpenFile, prelude: CacheEntryPrelude, table: [UInt64], seal: CacheEntrySeal?,
        url: URL, onDamage: @escaping @Sendable () -> Void
    ) {
        self.file = file
        self.prelude = prelude
        self.table = table
        self.seal = seal
        self.url = url
        self.onDamage = onDamage
    }

    /// Content bytes in all.
    var count: Int64 { prelude.bodyLength }

    /// The content from `position`, at most `limit` bytes and not beyond the block; never empty within the content.
    func bytes(at position: Int64, limit: Int64) throws(HTTPError) -> Data {
        let index = position / Int64(prelude.blockLength)
        let block = try block(index)
        let first = Int(position % Int64(prelude.blockLength))
        let last = first + Int(min(limit, Int64(block.count - first)))
        return first == 0 && last == block.count ? block : Data(block[first..<last])
    }

    private func block(_ index: Int64) throws(HTTPError) -> Data {
        guard index >= 0, index < Int64(table.count) else { throw damage("it has no such block") }
        let length = prelude.contentLength(ofBlock: index) + prelude.storedBlockLength - prelude.blockLength
        guard let memory = malloc(max(length, 1)) else {
            throw .file(FileFailure(url: url, operation: .read, reason: "there is no memory for a piece of it"))
        }
        let buffer = UnsafeMutableRawBufferPointer(start: memory, count: length)
        let stored = Data(bytesNoCopy: memory, count: length, deallocator: .free)
        let done: Int
        do {
            done = try FileSystem.read(
                file.raw, at: prelude.bodyStart + index * Int64(prelude.storedBlockLength), into: buffer)
        } catch {
            throw .file(FileFailure(url: url, operation: .read, reason: String(cString: strerror(error.code))))
        }
        guard done == length, Checksum.of(UnsafeRawBufferPointer(buffer)) == table[Int(index)] else {
            throw damage("the cached content is damaged")
        }
        guard let seal else { return stored }
        guard let content = try? seal.open(stored, index), content.count == prelude.contentLength(ofBlock: index) else {
            throw damage("the cached content can't be unsealed")
        }
        return content
    }

    private func damage(_ reason: String) -> HTTPError {
        onDamage()
        return .file(FileFailure(url: url, operation: .read, reason: reason))
    }
}
