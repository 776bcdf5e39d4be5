import Foundation

/// The tier on disk: one entry a file, one directory a partition, least recently used entries go first.
///
/// A file is written under another name and moved into place in one step, so that no reader ever sees half of it, in
/// this process or another: several may share a directory. Directories are for their owner only (0700), files too
/// (0600). Every file carries its key and checksums; one that is damaged in any way, or of another version, is a miss
/// and is removed. A full disk, a missing permission or a vanished directory is a miss and a counted failure, and an
/// event. Names are digests of partitions and keys; with a ``DataSealer`` nothing in a file tells what it is.
///
/// Long contents are written and read in pieces of 64 KB (``CachedBody/file(_:)``), whatever their length. An open one
/// stays readable when its entry is replaced, evicted or removed.
///
/// All file access happens on queues of the store's own, entries in the order of the calls; the caller's thread and the
/// threads of Swift concurrency never wait for the disk. The bounds hold when several processes write, too: the directory
/// is read again after every sixteenth of them, and where others are seen to write, a quarter is kept free. What a killed one left
/// unfinished may be over them until the directory is read again.
public actor DiskCacheStore: CacheStore {
    /// The directory of the store.
    public nonisolated let directory: URL
    /// The most bytes of files it keeps, unfinished ones included.
    public nonisolated let capacity: Int
    /// The most entries it keeps.
    public nonisolated let entryLimit: Int
    /// The age at which it gives an entry up, or nil for no limit but the room.
    public nonisolated let ageLimit: Duration?

    nonisolated let root: String
    private nonisolated let touchInterval: Double
    let leftoverAge: Double
    nonisolated let options: CacheEntryFile.Options
    private let executor = QueueExecutor(label: "Trunkline.DiskCacheStore", qos: .utility)
    let broadcast = Broadcast<CacheStoreEvent>(.bufferingNewest(100))
    /// What entries take that are being written.
    let reserved = DiskReservation.Total()
    /// Temporary files of this store have names that begin so.
    nonisolated let temporaryPrefix = DiskCacheIndex.temporaryPrefix + UUID().uuidString + "-"
    var index: DiskCacheIndex?
    var counters = CacheUsage()
    /// The name of the partition used last: usually that of the next call too.
    nonisolated let lastPartition = Protected<(partition: CachePartition, name: String)?>(nil)
    /// Reads the index has not been told of, oldest first.
    nonisolated let uses = Protected<[(name: DiskCacheIndex.Name, time: Double)]>([])

    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    public nonisolated var events: AsyncStream<CacheStoreEvent> { broadcast.stream() }

    /// Makes a store over a directory, which is created with the first entry. Nothing is read or written yet.
    ///
    /// - Parameters:
    ///   - directory: a directory of the store's own; other files in it are left alone.
    ///   - capacity: bytes, by default 100 MB; an entry larger than a quarter of it is not kept.
    ///   - entryLimit: by default 20,000 entries.
    ///   - touchInterval: how old a file's time of last use must be for a hit to renew it; by default a minute.
    ///   - leftoverAge: how old an unfinished file must be to be taken for that of a killed writer, where the file system
    ///     can't tell whether somebody still has it; by default ten minutes.
    ///   - inlineLimit: an entry with a longer body comes back with ``CachedBody/file(_:)``, a shorter one in memory; by
    ///     default 1 MB.
    ///   - ageLimit: the age, by the wall clock, at which an entry is given up; one that nobody asks for any more goes that
    ///     long after its last use. By default none.
    ///   - sealer: encrypts the files; by default nothing does. An entry that it does not open is a miss.
    public init(
        directory: URL, capacity: Int = 100_000_000, entryLimit: Int = 20_000, touchInterval: Duration = .seconds(60),
        leftoverAge: Duration = .seconds(600), inlineLimit: Int = 1_000_000, ageLimit: Duration? = nil,
        sealer: (any DataSealer)? = nil
    ) {
        self.directory = directory
        self.capacity = max(0, capacity)
        self.entryLimit = max(0, entryLimit)
        self.touchInterval = touchInterval.seconds
        self.leftoverAge = leftoverAge.seconds
        self.ageLimit = ageLimit
        options = CacheEntryFile.Options(limit: max(0, capacity), inlineLimit: max(0, inlineLimit), sealer: sealer)
        root = directory.path
    }

    /// The app's own directory below the user's caches directory; nil where the system has none.
    public static func defaultDirectory() -> URL? {
        let caches = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first
        let app = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
        let safe = app.unicodeScalars.map { scalar in
            CharacterSet.alphanumerics.contains(scalar) || "-._".unicodeScalars.contains(scalar) ? scalar : "_"
        }
        let name = String(String.UnicodeScalarView(safe))
        return caches?.appendingPathComponent("Trunkline").appendingPathComponent("app-" + name)
    }

    // MARK: - Entries

    /// The entry, or nil. One that the system has in memory is read on the caller's thread, which waits for no disk; any
    /// other on a queue, beside other reads and the store's writes.
    public nonisolated func response(for key: CacheKey) async -> CachedResponse? {
        let name = name(of: key)
        let (path, options, interval) = (path(name), options, touchInterval)
        let onDamage: @Sendable (FileSystem.Identity) -> Void = { [weak self] file in
            Task { [weak self] in await self?.removeDamaged(name, file) }
        }
        var reading = CacheEntryFile.readCached(path, for: key, options, touchInterval: interval, onDamage: onDamage)
        if reading == nil {
            reading = await CacheQueues.run {
                CacheEntryFile.read(path, for: key, options, touchInterval: interval, onDamage: onDamage)
            }
        }
        guard case .entry(let entry) = reading else {
            switch reading {
            case .missing, nil: break
            case let reading?: await missed(name, reading)
            }
            return nil
        }
        if let ageLimit, entry.age(at: Date()) >= ageLimit {
            await evict(name)
            return nil
        }
        let count = uses.withLock { uses in
            uses.append((name, Date().timeIntervalSince1970))
            return uses.count
        }
        if count.isMultiple(of: 512) { Task { await noteUses() } }
        return entry
    }

    /// Judges a read that found nothing it could give.
    private func missed(_ name: DiskCacheIndex.Name, _ reading: CacheEntryFile.Reading) {
        switch reading {
        // The index forgets a file that another process removed when the directory is read the next time.
        case .entry, .missing: break
        case .damaged:
            damaged(name)
            delete(name)
        case .unsealable(let reason):
            counters.failures += 1
            broadcast.send(.unsealable(file: name.file, reason: reason))
        case .failed(let failure):
            note(failure)
        }
    }

    public func store(
        _ response: CachedResponse, for key: CacheKey, if isCurrent: @escaping @Sendable () -> Bool
    ) async -> CacheStoreOutcome {
        guard isCurrent() else { return .outdated }
        switch response.body {
        case .data(let data): return store(response, data, for: key, if: isCurrent)
        case .file(let file): return await copy(response, file, for: key, if: isCurrent)
        }
    }

    private func store(
        _ response: CachedResponse, _ body: Data, for key: CacheKey, if isCurrent: () -> Bool
    ) -> CacheStoreOutcome {
        let name = name(of: key)
        guard body.count <= capacity / 4, entryLimit > 0 else {
            delete(name)
            return .tooLarge
        }
        loadIndex()
        do throws(CacheEntryDraft.Failure) {
            let (draft, _, head) = try draft(response, for: key, in: name.partition, slack: 0)
            try draft.append(body)
            guard draft.fileLength <= Int64(capacity / 4), let length = try draft.finish(head: head) else {
                delete(name)
                return .tooLarge
            }
            let outcome = place(draft.path, for: key, length: length, if: isCurrent)
            if outcome == .stored { draft.wasMoved() }
            return outcome
        } catch {
            note(error)
            delete(name)
            return .failed
        }
    }

    private func copy(
        _ response: CachedResponse, _ body: CachedFile, for key: CacheKey, if isCurrent: @escaping @Sendable () -> Bool
    ) async -> CacheStoreOutcome {
        guard let writer = await beginWriting(response, for: key, length: body.count) else {
            delete(name(of: key))
            return .tooLarge
        }
        do {
            for try await piece in body.chunks() where await !writer.append(piece) { break }
            return await writer.commit(response, if: isCurrent)
        } catch {
            // The content is damaged, which was noted.
            await writer.discard()
            delete(name(of: key))
            return .failed
        }
    }

    public func beginWriting(
        _ head: CachedResponse, for key: CacheKey, length: Int64?
    ) async -> (any CacheEntryWriter)? {
        guard entryLimit > 0, (length ?? 0) <= Int64(capacity / 4) else { return nil }
        let reservation = DiskReservation(reserved)
        guard await reserve(length ?? 0, reservation) else { return nil }
        do throws(CacheEntryDraft.Failure) {
            let (draft, seal, _) = try draft(head, for: key, in: name(of: key).partition, slack: 1024)
            return DiskEntryWriter(draft, for: key, seal: seal, reservation: reservation, store: self)
        } catch {
            note(error)
            return nil
        }
    }

    /// Makes room for an unfinished entry; false when it is too large to be kept.
    func reserve(_ bytes: Int64, _ reservation: DiskReservation) async -> Bool {
        guard bytes <= Int64(capacity / 4) + 2 * 1_048_576 else { return false }
        loadIndex()
        reservation.resize(to: bytes)
        makeRoom()
        return true
    }

    /// Puts a finished file in the place of an older one, in one step, if `isCurrent` still says so.
    func place(
        _ temporary: String, for key: CacheKey, length: Int64, if isCurrent: () -> Bool
    ) -> CacheStoreOutcome {
        let name = name(of: key)
        guard length <= Int64(capacity / 4) else {
            delete(name)
            return .tooLarge
        }
        guard isCurrent() else { return .outdated }
        do throws(FileSystem.Failure) {
            try FileSystem.move(temporary, to: path(name))
        } catch {
            // The partition was cleared, here or by another process.
            if error.isMissing { return .outdated }
            note(error)
            delete(name)
            return .failed
        }
        index?.insert(name, size: Int(clamping: length), at: Date().timeIntervalSince1970)
        makeRoom()
        return .stored
    }

    public func remove(for key: CacheKey) { delete(name(of: key)) }

    public func remove(where isUnwanted: @escaping @Sendable (CacheEntryDescription) -> Bool) {
        index = readDirectory()
        for name in index?.names ?? [] {
            guard let found = CacheEntryFile.head(path(name), options), let key = CacheKey(encoding: found.key) else {
                continue
            }
            let description = CacheEntryDescription(found.entry, in: key.partition, size: found.bodyLength)
            if isUnwanted(description) { delete(name) }
        }
    }

    public func removeAll(in partition: CachePartition) { clear(partition.directoryName) }

    public func removeAll() {
        for partition in FileSystem.names(in: root) where DiskCacheIndex.isHash(partition) { clear(partition) }
        index = nil
    }

    public func usage() -> CacheUsage {
        loadIndex()
        var usage = counters
        usage.entries = index?.entries ?? 0
        usage.bytes = Int(clamping: Int64(index?.bytes ?? 0) + reserved.current)
        return usage
    }
}
