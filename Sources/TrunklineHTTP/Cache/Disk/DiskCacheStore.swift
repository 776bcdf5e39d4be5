import Foundation

/// The tier on disk: one entry a file, one directory a partition, least recently used entries go first.
///
/// A file is written under another name and moved into place in one step, so that no reader ever sees half of it, in
/// this process or another: several may share a directory. Directories are for their owner only (0700), files too
/// (0600). Every file carries its key and checksums; one that is damaged in any way, or of another version, is a miss
/// and is removed. A full disk, a missing permission or a vanished directory is a miss and a counted failure.
///
/// All file access happens on a serial queue of the store's own, in the order of the calls; the caller's thread and the
/// threads of Swift concurrency never wait for the disk. The bounds hold when several processes write, too: the directory
/// is read again after every sixteenth of them, and where others are seen to write, a quarter is kept free.
public actor DiskCacheStore: CacheStore {
    /// The directory of the store.
    public nonisolated let directory: URL
    /// The most bytes of files it keeps.
    public nonisolated let capacity: Int
    /// The most entries it keeps.
    public nonisolated let entryLimit: Int

    private let root: String
    private let touchInterval: Double
    private let leftoverAge: Double
    private let options: CacheEntryFile.Options
    private let executor = QueueExecutor(label: "Trunkline.DiskCacheStore", qos: .utility)
    private var index: DiskCacheIndex?
    private var counters = CacheUsage()
    /// The name of the partition used last: usually that of the next call too.
    private var lastPartition: (partition: CachePartition, name: String)?

    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

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
    ///   - sealer: encrypts the files; by default nothing does. An entry that it does not open is a miss.
    public init(
        directory: URL, capacity: Int = 100_000_000, entryLimit: Int = 20_000, touchInterval: Duration = .seconds(60),
        leftoverAge: Duration = .seconds(600), inlineLimit: Int = 1_000_000, sealer: (any DataSealer)? = nil
    ) {
        self.directory = directory
        self.capacity = max(0, capacity)
        self.entryLimit = max(0, entryLimit)
        self.touchInterval = touchInterval.seconds
        self.leftoverAge = leftoverAge.seconds
        options = CacheEntryFile.Options(limit: max(0, capacity), inlineLimit: inlineLimit, sealer: sealer)
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

    public func response(for key: CacheKey) -> CachedResponse? {
        let name = name(of: key)
        let reading = CacheEntryFile.read(path(name), for: key, options, touchInterval: touchInterval) {
            [weak self] file in
            Task { [weak self] in await self?.removeDamaged(name, file) }
        }
        switch reading {
        case .entry(let entry):
            index?.use(name, at: Date().timeIntervalSince1970)
            return entry
        case .missing:
            index?.remove(name)
        case .damaged:
            counters.corruptions += 1
            delete(name)
        case .unsealable:
            counters.failures += 1
        case .failed:
            counters.failures += 1
        }
        return nil
    }

    public func store(
        _ response: CachedResponse, for key: CacheKey, if isCurrent: @escaping @Sendable () -> Bool
    ) -> CacheStoreOutcome {
        guard isCurrent() else { return .outdated }
        let name = name(of: key)
        // Lengths that a caller's body may have, so no sum may overflow.
        guard response.body.count <= Int64(capacity / 4), entryLimit > 0 else {
            delete(name)
            return .tooLarge
        }
        loadIndex()
        let length: Int64
        do {
            let draft = try write(response, for: key, name)
            guard let draft, draft.fileLength <= Int64(capacity / 4) else {
                delete(name)
                return .tooLarge
            }
            guard isCurrent() else { return .outdated }
            try draft.move(to: path(name))
            length = draft.fileLength
        } catch {
            counters.failures += 1
            delete(name)
            return .failed
        }
        index?.insert(name, size: Int(clamping: length), at: Date().timeIntervalSince1970)
        makeRoom()
        return .stored
    }

    public func remove(for key: CacheKey) { delete(name(of: key)) }

    public func removeAll(in partition: CachePartition) { clear(partition.directoryName) }

    public func removeAll() {
        for partition in FileSystem.names(in: root) where DiskCacheIndex.isHash(partition) { clear(partition) }
        index = nil
    }

    public func usage() -> CacheUsage {
        loadIndex()
        var usage = counters
        usage.entries = index?.entries ?? 0
        usage.bytes = index?.bytes ?? 0
        return usage
    }
}

extension DiskCacheStore {
    private func name(of key: CacheKey) -> DiskCacheIndex.Name {
        if let last = lastPartition, last.partition == key.partition {
            return DiskCacheIndex.Name(partition: last.name, file: key.fileName)
        }
        let partition = key.partition.directoryName
        lastPartition = (key.partition, partition)
        return DiskCacheIndex.Name(partition: partition, file: key.fileName)
    }

    private func path(_ name: DiskCacheIndex.Name) -> String { root + "/" + name.path }

    /// Writes the whole entry under a temporary name; nil when its head is too large.
    private func write(
        _ response: CachedResponse, for key: CacheKey, _ name: DiskCacheIndex.Name
    ) throws -> CacheEntryDraft? {
        let identity = UInt64.random(in: .min ... .max)
        let seal = options.sealer.map { CacheEntrySeal(sealer: $0, identity: identity) }
        let plain = CacheEntryCodec.bytes(of: response, for: key)
        let head = try seal.map { try [UInt8]($0.seal(plain, CacheEntrySeal.head)) } ?? plain
        let draft = try draft(in: name.partition, identity: identity, headRoom: head.count, seal: seal)
        switch response.body {
        case .data(let data): try draft.append(data)
        case .file(let file): try file.read { try draft.append($0) }
        }
        return try draft.finish(head: head) == nil ? nil : draft
    }

    /// A new file. A partition's directory may be missing, or vanish when another process clears it: then it is made, once.
    private func draft(
        in partition: String, identity: UInt64, headRoom: Int, seal: CacheEntrySeal?
    ) throws(FileSystem.Failure) -> CacheEntryDraft {
        let folder = root + "/" + partition
        let temporary = folder + "/" + DiskCacheIndex.temporaryPrefix + UUID().uuidString
        do {
            return try CacheEntryDraft(temporary, identity: identity, headRoom: headRoom, seal: seal)
        } catch {
            guard error.isMissing else { throw error }
            try FileSystem.makeDirectory(folder)
            return try CacheEntryDraft(temporary, identity: identity, headRoom: headRoom, seal: seal)
        }
    }

    /// Removes an entry whose body was found to be damaged while it was read, unless another one has taken its place.
    private func removeDamaged(_ name: DiskCacheIndex.Name, _ file: FileSystem.Identity) {
        counters.corruptions += 1
        guard (try? FileSystem.facts(at: path(name)))?.identity == file else { return }
        delete(name)
    }

    private func delete(_ name: DiskCacheIndex.Name) {
        do {
            try FileSystem.delete(path(name))
        } catch {
            counters.failures += 1
        }
        index?.remove(name)
    }

    private func clear(_ partition: String) {
        let folder = root + "/" + partition
        for file in FileSystem.names(in: folder) where DiskCacheIndex.isHash(file) || DiskCacheIndex.isTemporary(file) {
            do { try FileSystem.delete(folder + "/" + file) } catch { counters.failures += 1 }
        }
        FileSystem.deleteEmptyDirectory(folder)
        index?.removeAll(in: partition)
    }

    private func loadIndex() {
        guard index == nil else { return }
        index = readDirectory()
        makeRoom()
    }

    private func readDirectory() -> DiskCacheIndex {
        let now = Date().timeIntervalSince1970
        return DiskCacheIndex(root: root, now: now, leftoverLimit: now - leftoverAge, previous: index)
    }

    /// Evicts until the bounds hold. Where other processes write too, each keeps a quarter free for what it can't see.
    private func makeRoom() {
        if let written = index?.unverified, written.bytes > capacity / 16 || written.files > max(16, entryLimit / 16) {
            index = readDirectory()
        }
        let share = index?.isShared == true ? 4 : 0
        let byteLimit = share == 0 ? capacity : capacity - capacity / share
        let countLimit = share == 0 ? entryLimit : entryLimit - entryLimit / share
        while let current = index, current.bytes > byteLimit || current.entries > countLimit, let name = current.oldest
        {
            delete(name)
            counters.evictions &+= 1
        }
    }
}
