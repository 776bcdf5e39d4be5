import Foundation

/// Writes an entry of a disk store whose content comes in pieces, on a queue of its own.
actor DiskEntryWriter: CacheEntryWriter {
    private let store: DiskCacheStore
    private let key: CacheKey
    private let reservation: DiskReservation
    private let seal: CacheEntrySeal?
    private var draft: CacheEntryDraft?
    private let executor = QueueExecutor(label: "Trunkline.DiskEntryWriter", qos: .utility)
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// What is reserved at once where the length is not known.
    private static let step: Int64 = 1_048_576

    init(
        _ draft: sending CacheEntryDraft, for key: CacheKey, seal: CacheEntrySeal?, reservation: DiskReservation,
        store: DiskCacheStore
    ) {
        self.draft = draft
        self.key = key
        self.seal = seal
        self.reservation = reservation
        self.store = store
    }

    func append(_ data: Data) async -> Bool {
        guard let draft else { return false }
        let needed = draft.fileLength + Int64(data.count) + Int64(CacheEntryPrelude.blockLength)
        if needed > reservation.bytes {
            guard await store.reserve(needed + DiskEntryWriter.step, reservation) else {
                self.draft = nil
                return false
            }
        }
        do {
            try draft.append(data)
            return true
        } catch {
            self.draft = nil
            await store.note(error)
            return false
        }
    }

    func commit(_ head: CachedResponse, if isCurrent: @escaping @Sendable () -> Bool) async -> CacheStoreOutcome {
        guard let draft else {
            await store.remove(for: key)
            return .failed
        }
        self.draft = nil
        do throws(CacheEntryDraft.Failure) {
            let stored = try CacheEntryDraft.head(CacheEntryCodec.bytes(of: head, for: key), seal)
            guard let length = try draft.finish(head: stored) else {
                await store.remove(for: key)
                return .tooLarge
            }
            let outcome = await store.place(draft.path, for: key, length: length, if: isCurrent)
            if outcome == .stored { draft.wasMoved() }
            reservation.resize(to: 0)
            return outcome
        } catch {
            await store.note(error)
            await store.remove(for: key)
            return .failed
        }
    }

    func discard() {
        draft = nil
        reservation.resize(to: 0)
    }
}
