import Foundation

/// The store's files and what becomes of them.
extension DiskCacheStore {
    // MARK: - What happens

    /// Counts a failure, and tells of it.
    func note(_ failure: CacheEntryDraft.Failure) {
        switch failure {
        case .system(let failure): note(failure)
        case .sealer(let reason):
            counters.failures += 1
            broadcast.send(.sealingFailed(reason: reason))
        }
    }

    func note(_ failure: FileSystem.Failure) {
        counters.failures += 1
        broadcast.send(
            .systemFailed(call: failure.call, code: failure.code, reason: String(cString: strerror(failure.code))))
    }

    func damaged(_ name: DiskCacheIndex.Name) {
        counters.corruptions += 1
        broadcast.send(.damaged(file: name.file))
    }

    /// Removes an entry whose body was found to be damaged while it was read, unless another one has taken its place.
    func removeDamaged(_ name: DiskCacheIndex.Name, _ file: FileSystem.Identity) {
        damaged(name)
        guard (try? FileSystem.facts(at: path(name)))?.identity == file else { return }
        delete(name)
    }
}

// MARK: - Names and files

extension DiskCacheStore {
    nonisolated func name(of key: CacheKey) -> DiskCacheIndex.Name {
        let partition = lastPartition.withLock { last in
            if let last, last.partition == key.partition { return last.name }
            let name = key.partition.directoryName
            last = (key.partition, name)
            return name
        }
        return DiskCacheIndex.Name(partition: partition, file: key.fileName)
    }

    nonisolated func path(_ name: DiskCacheIndex.Name) -> String { root + "/" + name.path }

    /// Tells the index what was read.
    func noteUses() {
        let noted = uses.withLock { uses in
            defer { uses.removeAll(keepingCapacity: true) }
            return uses
        }
        for use in noted { index?.use(use.name, at: use.time) }
    }

    func delete(_ name: DiskCacheIndex.Name) {
        do {
            try FileSystem.delete(path(name))
        } catch {
            note(error)
        }
        index?.remove(name)
    }

    func evict(_ name: DiskCacheIndex.Name) {
        let bytes = index?.size(of: name) ?? 0
        delete(name)
        counters.evictions &+= 1
        broadcast.send(.evicted(entries: 1, bytes: Int64(bytes)))
    }

    func clear(_ partition: String) {
        let folder = root + "/" + partition
        for file in FileSystem.names(in: folder) where DiskCacheIndex.isHash(file) || DiskCacheIndex.isTemporary(file) {
            do { try FileSystem.delete(folder + "/" + file) } catch { note(error) }
        }
        FileSystem.deleteEmptyDirectory(folder)
        index?.removeAll(in: partition)
    }

    func loadIndex() {
        guard index == nil else { return }
        index = readDirectory()
        makeRoom()
    }

    func readDirectory() -> DiskCacheIndex {
        let now = Date().timeIntervalSince1970
        let found = DiskCacheIndex(
            root: root, now: now, leftoverLimit: now - leftoverAge, own: temporaryPrefix, previous: index)
        if found.leftovers > 0 { broadcast.send(.leftoversRemoved(count: found.leftovers)) }
        return found
    }

    /// Evicts until the bounds hold. Where other processes write too, each keeps a quarter free for what it can't see.
    func makeRoom() {
        noteUses()
        if let written = index?.unverified, written.bytes > capacity / 16 || written.files > max(16, entryLimit / 16) {
            index = readDirectory()
        }
        let share = index?.isShared == true ? 4 : 0
        let byteLimit = Int64(share == 0 ? capacity : capacity - capacity / share) - reserved.current
        let countLimit = share == 0 ? entryLimit : entryLimit - entryLimit / share
        let oldestAllowed = ageLimit.map { Date().timeIntervalSince1970 - $0.seconds }
        var evicted = (entries: 0, bytes: Int64(0))
        while let current = index, let name = current.oldest {
            let isTooOld = oldestAllowed.map { (current.lastUse(of: name) ?? $0) < $0 } ?? false
            guard isTooOld || Int64(current.bytes) > byteLimit || current.entries > countLimit else { break }
            evicted.entries += 1
            evicted.bytes += Int64(current.size(of: name) ?? 0)
            delete(name)
        }
        guard evicted.entries > 0 else { return }
        counters.evictions &+= evicted.entries
        broadcast.send(.evicted(entries: evicted.entries, bytes: evicted.bytes))
    }

    /// Begins an entry's file, with room for the head and some slack. Returns its seal and the stored head too.
    nonisolated func draft(
        _ response: CachedResponse, for key: CacheKey, in partition: String, slack: Int
    ) throws(CacheEntryDraft.Failure) -> sending (CacheEntryDraft, CacheEntrySeal?, [UInt8]) {
        let identity = UInt64.random(in: .min ... .max)
        let seal = options.sealer.map { CacheEntrySeal(sealer: $0, identity: identity) }
        let head = try CacheEntryDraft.head(CacheEntryCodec.bytes(of: response, for: key), seal)
        let folder = root + "/" + partition
        let temporary = folder + "/" + temporaryPrefix + String(identity, radix: 16)
        func make() throws(FileSystem.Failure) -> CacheEntryDraft {
            try CacheEntryDraft(temporary, identity: identity, headRoom: head.count + slack, seal: seal)
        }
        do throws(FileSystem.Failure) {
            do throws(FileSystem.Failure) {
                return (try make(), seal, head)
            } catch {
                // The partition's directory may be missing, or vanish when another process clears it: it is made, once.
                guard error.isMissing else { throw error }
                try FileSystem.makeDirectory(folder)
                return (try make(), seal, head)
            }
        } catch {
            throw .system(error)
        }
    }
}
