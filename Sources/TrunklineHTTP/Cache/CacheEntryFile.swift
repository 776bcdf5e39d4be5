import Foundation

/// Reads and writes one entry's file.
enum CacheEntryFile {
    /// What a read found.
    enum Reading: Sendable {
        case entry(CachedResponse)
        case missing
        /// There is something, and it is not a sound entry for the key.
        case damaged
        /// The system would not let it be read.
        case failed
    }

    /// A first read of this many bytes usually has the whole head.
    private static let firstRead = 4096

    /// Reads and checks the entry. A touch is made when the file's time of last use is off by more than
    /// `touchInterval` seconds.
    static func read(_ path: String, for key: CacheKey, limit: Int, touchInterval: Double) -> Reading {
        do {
            let file = try FileSystem.openForReading(path)
            let facts = try FileSystem.facts(of: file)
            guard facts.isRegular, facts.size >= Int64(CacheEntryCodec.preludeLength), facts.size <= Int64(limit),
                let entry = try entry(in: file, length: Int(facts.size), for: key)
            else { return .damaged }
            // Either way round: a time of last use may be in the future when the clock was put back.
            if abs(Date().timeIntervalSince1970 - facts.modified) > touchInterval { FileSystem.touch(file) }
            return .entry(entry)
        } catch {
            if error.isMissing { return .missing }
            return error.code == ELOOP || error.code == ENXIO || error.code == EISDIR ? .damaged : .failed
        }
    }

    private static func entry(
        in file: borrowing FileSystem.Descriptor, length: Int, for key: CacheKey
    ) throws(FileSystem.Failure) -> CachedResponse? {
        let start = try bytes(of: file, count: min(length, firstRead))
        guard let prelude = CacheEntryCodec.prelude(start[...], fileLength: Int64(length)) else { return nil }
        let headEnd = CacheEntryCodec.preludeLength + prelude.headLength
        var head = Array(start.prefix(headEnd).dropFirst(CacheEntryCodec.preludeLength))
        if start.count < headEnd { head += try bytes(of: file, count: headEnd - start.count) }
        guard head.count == prelude.headLength,
            var entry = CacheEntryCodec.entry(prelude, preludeBytes: start[...], head: head[...], key: key),
            let body = try body(prelude, begun: start.dropFirst(headEnd), rest: file)
        else { return nil }
        entry.body = body
        return entry
    }

    private static func bytes(
        of file: borrowing FileSystem.Descriptor, count: Int
    ) throws(FileSystem.Failure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        var failure: FileSystem.Failure?
        bytes.withUnsafeMutableBytes { buffer in
            do throws(FileSystem.Failure) {
                done = try FileSystem.read(file, into: buffer)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        // The file may have been cut since its length was taken.
        bytes.removeLast(count - done)
        return bytes
    }

    /// The body: what the first read has of it, then the rest straight into place. Nil when it is damaged.
    private static func body(
        _ prelude: CacheEntryCodec.Prelude, begun: ArraySlice<UInt8>, rest file: borrowing FileSystem.Descriptor
    ) throws(FileSystem.Failure) -> Data? {
        guard prelude.bodyLength > 0 else {
            return prelude.bodyChecksum == Checksum.of([]) ? Data() : nil
        }
        guard begun.count <= prelude.bodyLength, let memory = malloc(prelude.bodyLength) else { return nil }
        let buffer = UnsafeMutableRawBufferPointer(start: memory, count: prelude.bodyLength)
        buffer.copyBytes(from: begun)
        let done: Int
        do throws(FileSystem.Failure) {
            done = try FileSystem.read(file, into: UnsafeMutableRawBufferPointer(rebasing: buffer[begun.count...]))
        } catch {
            free(memory)
            throw error
        }
        guard begun.count + done == prelude.bodyLength,
            Checksum.of(UnsafeRawBufferPointer(buffer)) == prelude.bodyChecksum
        else {
            free(memory)
            return nil
        }
        // Only now: a small Data copies the bytes and frees the memory right here.
        return Data(bytesNoCopy: memory, count: prelude.bodyLength, deallocator: .free)
    }

    /// Writes the entry to `temporary`, a new file, and moves it to `path` in one step if `isCurrent` still says so.
    /// Whatever fails, the temporary file is gone afterwards.
    static func write(
        head: [UInt8], body: Data, temporary: String, to path: String, if isCurrent: () -> Bool
    ) throws(FileSystem.Failure) -> Bool {
        let file = try FileSystem.create(temporary)
        do throws(FileSystem.Failure) {
            try write(head, to: file)
            try write(body, to: file)
            guard isCurrent() else {
                try? FileSystem.delete(temporary)
                return false
            }
            try FileSystem.move(temporary, to: path)
            return true
        } catch {
            try? FileSystem.delete(temporary)
            throw error
        }
    }

    private static func write(
        _ bytes: some ContiguousBytes, to file: borrowing FileSystem.Descriptor
    ) throws(FileSystem.Failure) {
        var failure: FileSystem.Failure?
        bytes.withUnsafeBytes { buffer in
            do throws(FileSystem.Failure) { try FileSystem.write(file, buffer) } catch { failure = error }
        }
        if let failure { throw failure }
    }
}
