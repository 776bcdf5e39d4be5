import Foundation

/// Gives the pieces of a streamed answer on to their consumer, and stores them as they pass.
actor CacheTee {
    private let chunks: ResponseBody.Chunks
    private let cache: ResponseCache
    private let entry: CachedResponse
    private let key: CacheKey
    private let ticket: CacheTicket
    private let announced: Int64?
    private let partial: ResponseCache.PartialEntry?

    /// What has arrived, as long as it is little.
    private var held = Data()
    /// Where it goes, once it is more.
    private var writer: (any CacheEntryWriter)?
    private var received: Int64 = 0
    private var fate = Fate.open

    private enum Fate {
        case open
        /// The entry can't be kept.
        case unkept
        case over
    }

    init(
        _ chunks: ResponseBody.Chunks, into cache: ResponseCache, _ entry: CachedResponse, for key: CacheKey,
        ticket: CacheTicket, announced: Int64?, partial: ResponseCache.PartialEntry?
    ) {
        self.chunks = chunks
        self.cache = cache
        self.entry = entry
        self.key = key
        self.ticket = ticket
        self.announced = announced
        self.partial = partial
        if let announced, announced > Int64(cache.streamMemory), cache.disk == nil { fate = .unkept }
    }

    deinit {
        // Let go before the end.
        guard fate == .open, received > 0 else { return }
        let remains = Remains(cache: cache, key: key, ticket: ticket, held: held, writer: writer)
        let entry = partial?(received)
        Task.detached { await remains.keep(entry) }
    }

    /// The next piece, when the one before is stored.
    func next() async throws -> Data? {
        var iterator = chunks.makeAsyncIterator()
        do {
            if let chunk = try await iterator.next() {
                await take(chunk)
                return chunk
            }
        } catch {
            await end(isWhole: false)
            throw error
        }
        // A cancelled stream looks as if it had ended.
        await end(isWhole: !Task.isCancelled && announced ?? received == received)
        return nil
    }

    private func take(_ chunk: Data) async {
        received += Int64(chunk.count)
        guard fate == .open, !chunk.isEmpty else { return }
        if let writer {
            if await !writer.append(chunk) { giveUp() }
            return
        }
        if received <= Int64(cache.streamMemory), announced ?? 0 <= Int64(cache.streamMemory) {
            held.append(chunk)
            return
        }
        let first = held + chunk
        held = Data()
        writer = await cache.disk?.beginWriting(entry, for: key, length: announced)
        if await writer?.append(first) != true { giveUp() }
    }

    private func giveUp() {
        if fate == .open { fate = .unkept }
        writer = nil
        held = Data()
    }

    private func end(isWhole: Bool) async {
        defer { fate = .over }
        switch fate {
        case .over: return
        case .unkept:
            // The older entry is not what the server says now.
            if isWhole, cache.isCurrent(ticket) { await cache.remove(for: key) }
        case .open:
            let entry = isWhole ? entry : received > 0 ? partial?(received) : nil
            let remains = Remains(cache: cache, key: key, ticket: ticket, held: held, writer: writer)
            (held, writer, fate) = (Data(), nil, .over)
            await remains.keep(entry)
        }
    }

    /// What there is when the stream is over.
    private struct Remains: Sendable {
        var cache: ResponseCache
        var key: CacheKey
        var ticket: CacheTicket
        var held: Data
        var writer: (any CacheEntryWriter)?

        /// Stores it as the entry's body; removes it where there is none.
        func keep(_ entry: CachedResponse?) async {
            guard var entry else {
                await writer?.discard()
                return
            }
            guard let writer else {
                entry.body = .data(held)
                cache.storeInBackground(entry, for: key, ticket: ticket)
                return
            }
            guard let version = cache.beginKeeping(key, ticket: ticket) else { return await writer.discard() }
            await cache.endKeeping(key, version: version) { await writer.commit(entry, if: $0) }
        }
    }
}
