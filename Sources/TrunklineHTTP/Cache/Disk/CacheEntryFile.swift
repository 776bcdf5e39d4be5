import Foundation

/// Opens and checks one entry's file.
struct CacheEntryFile {
    /// What was found.
    enum Reading: Sendable {
        case entry(CachedResponse)
        case missing
        /// There is something, and it is not a sound entry for the key.
        case damaged
        /// It is sound, and the sealer does not open it.
        case unsealable(String)
        /// The system would not let it be read.
        case failed(FileSystem.Failure)
    }

    /// How files are read.
    struct Options: Sendable {
        /// A longer file is none of the store's.
        var limit: Int
        /// Longer bodies are left in the file.
        var inlineLimit: Int
        var sealer: (any DataSealer)?
        /// Whether to give up with `EAGAIN` or the like rather than wait for the disk.
        var onlyCached = false
    }

    /// A first read of this many bytes usually has the whole head.
    private static let firstRead = 4096

    private let path: String
    private let options: Options
    private let prelude: CacheEntryPrelude
    private let seal: CacheEntrySeal?
    /// What the first read has of the body.
    private let begun: ArraySlice<UInt8>
    let key: [UInt8]
    let head: CachedResponse

    private enum Flaw: Error {
        case damaged
        case unsealable(String)
        case failed(FileSystem.Failure)
    }

    /// Reads and checks the entry.
    ///
    /// - Parameters:
    ///   - touchInterval: the file's time of last use is renewed when it is off by more than these seconds.
    ///   - onDamage: called when a body that is left in the file turns out to be damaged.
    static func read(
        _ path: String, for key: CacheKey, _ options: Options, touchInterval: Double,
        onDamage: @escaping @Sendable (FileSystem.Identity) -> Void
    ) -> Reading {
        do throws(Flaw) {
            let (descriptor, facts) = try opened(path, options)
            let file = try CacheEntryFile(path, descriptor, length: facts.size, options)
            guard file.key == key.encoding else { throw .damaged }
            // Either way round: a time of last use may be in the future when the clock was put back.
            if abs(Date().timeIntervalSince1970 - facts.modified) > touchInterval {
                // It may wait for the disk.
                if options.onlyCached { throw .failed(FileSystem.Failure(call: "futimens", code: EAGAIN)) }
                FileSystem.touch(descriptor.descriptor)
            }
            var entry = file.head
            entry.body = try file.body(descriptor) { onDamage(facts.identity) }
            return .entry(entry)
        } catch {
            return reading(error)
        }
    }

    /// Reads and checks the head alone: the key's encoding, and the entry without its body.
    static func head(_ path: String, _ options: Options) -> (key: [UInt8], entry: CachedResponse, bodyLength: Int64)? {
        do throws(Flaw) {
            let (descriptor, facts) = try opened(path, options)
            let file = try CacheEntryFile(path, descriptor, length: facts.size, options)
            return (file.key, file.head, file.prelude.bodyLength)
        } catch {
            return nil
        }
    }

    /// The same without a wait for the disk; nil where it would need one, or is long.
    static func readCached(
        _ path: String, for key: CacheKey, _ options: Options, touchInterval: Double,
        onDamage: @escaping @Sendable (FileSystem.Identity) -> Void
    ) -> Reading? {
        var quick = options
        quick.onlyCached = true
        quick.limit = min(options.limit, CacheEntryFile.quickLimit)
        switch read(path, for: key, quick, touchInterval: touchInterval, onDamage: onDamage) {
        // What is not as expected is looked at again by who may wait.
        case .failed, .damaged, .unsealable: return nil
        case let found: return found
        }
    }

    /// The longest file that is read on the caller's thread.
    private static let quickLimit = 262_144

    private static func reading(_ flaw: Flaw) -> Reading {
        switch flaw {
        case .damaged: return .damaged
        case .unsealable(let reason): return .unsealable(reason)
        case .failed(let failure) where failure.isMissing: return .missing
        case .failed(let failure):
            return [ELOOP, ENXIO, EISDIR].contains(failure.code) ? .damaged : .failed(failure)
        }
    }

    private static func opened(
        _ path: String, _ options: Options
    ) throws(Flaw) -> (FileSystem.OpenFile, FileSystem.Facts) {
        do throws(FileSystem.Failure) {
            let file = FileSystem.OpenFile(
                try options.onlyCached ? FileSystem.openCached(path) : FileSystem.openForReading(path))
            let facts = try FileSystem.facts(of: file.descriptor)
            let isPossible =
                facts.isRegular && facts.size >= Int64(CacheEntryPrelude.length)
                && facts.size <= Int64(clamping: options.limit)
            if isPossible { return (file, facts) }
        } catch {
            throw .failed(error)
        }
        throw .damaged
    }

    private init(
        _ path: String, _ file: FileSystem.OpenFile, length: Int64, _ options: Options
    ) throws(Flaw) {
        self.path = path
        self.options = options
        let start = try CacheEntryFile.bytes(
            of: file, at: 0, count: Int(min(length, Int64(Self.firstRead))), options)
        guard let prelude = CacheEntryPrelude(start[...], fileLength: length) else { throw .damaged }
        self.prelude = prelude
        let headEnd = CacheEntryPrelude.length + prelude.headLength
        var stored = start.prefix(headEnd).dropFirst(CacheEntryPrelude.length)
        if start.count < headEnd {
            stored += try CacheEntryFile.bytes(of: file, at: Int64(start.count), count: headEnd - start.count, options)
        }
        guard stored.count == prelude.headLength, prelude.isSound(start[...], head: stored) else { throw .damaged }
        // In a store that seals, bytes that are not sealed are nobody's.
        guard prelude.isSealed == (options.sealer != nil) else {
            throw prelude.isSealed ? .unsealable("it is sealed, and the store has no sealer") : .damaged
        }
        seal = options.sealer.map { CacheEntrySeal(sealer: $0, identity: prelude.identity) }
        if let seal {
            do {
                stored = try [UInt8](seal.open(Data(stored), CacheEntrySeal.head))[...]
            } catch {
                throw .unsealable("\(error)")
            }
        }
        guard let (key, entry) = CacheEntryCodec.entry(stored) else { throw .damaged }
        self.key = key
        head = entry
        begun = start.dropFirst(Int(clamping: prelude.bodyStart))
    }

    private func body(
        _ file: FileSystem.OpenFile, onDamage: @escaping @Sendable () -> Void
    ) throws(Flaw) -> CachedBody {
        guard prelude.bodyLength > Int64(options.inlineLimit) || prelude.isSealed else {
            return .data(try content(of: file))
        }
        let table = try table(of: file)
        let blocks = CacheEntryBlocks(
            file, prelude: prelude, table: table, seal: seal, url: URL(fileURLWithPath: path), onDamage: onDamage)
        let body = CachedFile(blocks)
        guard prelude.bodyLength <= Int64(options.inlineLimit) else { return .file(body) }
        if options.onlyCached { throw .failed(FileSystem.Failure(call: "pread", code: EAGAIN)) }
        var content = Data()
        do {
            try body.read { content.append($0) }
        } catch {
            throw .damaged
        }
        return .data(content)
    }

    private func table(of file: FileSystem.OpenFile) throws(Flaw) -> [UInt64] {
        let bytes = try CacheEntryFile.bytes(
            of: file, at: prelude.tableStart, count: Int(clamping: prelude.blockCount * 8), options)
        guard Checksum.of(bytes) == prelude.tableChecksum else { throw .damaged }
        var reader = ByteReader(bytes[...])
        var table: [UInt64] = []
        while let sum = reader.fixed(UInt64.self) { table.append(sum) }
        guard table.count == prelude.blockCount else { throw .damaged }
        return table
    }

    /// The body and its table in one piece of memory, of which the body is then made: what the first read has of them, then
    /// the rest straight into place.
    private func content(of file: FileSystem.OpenFile) throws(Flaw) -> Data {
        let bodyLength = Int(clamping: prelude.bodyLength)
        let length = bodyLength + Int(clamping: prelude.blockCount * 8)
        guard length > 0 else {
            if prelude.tableChecksum != Checksum.of([]) { throw .damaged }
            return Data()
        }
        guard let memory = malloc(length) else { throw .damaged }
        let buffer = UnsafeMutableRawBufferPointer(start: memory, count: length)
        let begun = begun.prefix(length)
        buffer.copyBytes(from: begun)
        do {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[begun.count...])
            let done = try CacheEntryFile.read(
                file, at: prelude.bodyStart + Int64(begun.count), into: rest, options)
            guard begun.count + done == length, isSound(UnsafeRawBufferPointer(buffer), bodyLength) else {
                throw Flaw.damaged
            }
        } catch {
            free(memory)
            throw (error as? FileSystem.Failure).map { .failed($0) } ?? .damaged
        }
        // Only now: a small Data copies the bytes and frees the memory right here.
        return Data(bytesNoCopy: memory, count: bodyLength, deallocator: .free)
    }

    /// Whether body and table fit each other and the prelude.
    private func isSound(_ bytes: UnsafeRawBufferPointer, _ bodyLength: Int) -> Bool {
        let table = UnsafeRawBufferPointer(rebasing: bytes[bodyLength...])
        guard Checksum.of(table) == prelude.tableChecksum else { return false }
        var start = 0
        var place = 0
        while start < bodyLength {
            let end = min(start + prelude.blockLength, bodyLength)
            let sum = UInt64(littleEndian: table.loadUnaligned(fromByteOffset: place, as: UInt64.self))
            guard Checksum.of(UnsafeRawBufferPointer(rebasing: bytes[start..<end])) == sum else { return false }
            start = end
            place += 8
        }
        return true
    }

    private static func read(
        _ file: FileSystem.OpenFile, at offset: Int64, into buffer: UnsafeMutableRawBufferPointer, _ options: Options
    ) throws(FileSystem.Failure) -> Int {
        guard options.onlyCached else { return try FileSystem.read(file.raw, at: offset, into: buffer) }
        try FileSystem.readCached(file.raw, at: offset, into: buffer)
        return buffer.count
    }

    /// The bytes there are: the file may have been cut since its length was taken.
    private static func bytes(
        of file: FileSystem.OpenFile, at offset: Int64, count: Int, _ options: Options
    ) throws(Flaw) -> [UInt8] {
        var failure: FileSystem.Failure?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, done in
            do throws(FileSystem.Failure) {
                done = try read(file, at: offset, into: UnsafeMutableRawBufferPointer(buffer), options)
            } catch {
                failure = error
            }
        }
        if let failure { throw .failed(failure) }
        return bytes
    }
}
