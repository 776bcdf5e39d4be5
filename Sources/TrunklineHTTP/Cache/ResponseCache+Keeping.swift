import Foundation

/// Storing answers on their way to the caller, whatever form their content has.
extension ResponseCache {
    /// The entry for what has arrived of an answer that was cut short.
    ///
    /// - Parameter received: how many bytes of the content there are, more than none.
    /// - Returns: the entry, its body of no account; nil to keep nothing.
    public typealias PartialEntry = @Sendable (_ received: Int64) -> CachedResponse?

    /// Stores an answer while it is delivered. Returns at once; call it once for an answer, and hand on what it returns.
    ///
    /// - Content in memory is stored as by ``storeInBackground(_:for:ticket:)``: readers see the entry from now on.
    /// - A stream is stored as its consumer reads it, at his pace. The entry appears right before the stream ends for the
    ///   consumer, and only when the stream ended by itself, at the announced length where one was announced; a stream that
    ///   failed, was cancelled, or was let go before its end leaves nothing, or what `partial` says. Up to 1 MB is held in
    ///   memory, more goes to the disk in pieces. Until then readers see the older entry.
    /// - A file (of a download) is copied to the disk tier in the background, in pieces, from the file as it is now: it may
    ///   be moved, but one that is written to meanwhile is not stored.
    ///
    /// Without a disk tier only what fits into the memory tier is stored. ``flush()`` waits for copies of files too, not
    /// for streams that nobody has read to their end.
    ///
    /// - Parameters:
    ///   - response: the answer.
    ///   - entry: everything about it but the body.
    ///   - key: its identity.
    ///   - ticket: the permission taken when the request began; nil means now.
    ///   - partial: gives the entry for the first bytes of a stream that was cut short; by default nothing is kept.
    /// - Returns: the answer to deliver: the same, a stream replaced by one that stores what it gives.
    public func keep(
        _ response: HTTPResponse, as entry: CachedResponse, for key: CacheKey, ticket: CacheTicket? = nil,
        partial: PartialEntry? = nil
    ) -> HTTPResponse {
        let ticket = ticket ?? self.ticket(for: key.partition)
        switch response.body {
        case .data(let data):
            var entry = entry
            entry.body = .data(data)
            storeInBackground(entry, for: key, ticket: ticket)
            return response
        case .stream(let chunks):
            let announced = ResponseCache.announcedLength(of: response)
            let tee = CacheTee(
                chunks, into: self, entry, for: key, ticket: ticket, announced: announced, partial: partial)
            var response = response
            response.body = .stream(ResponseBody.Chunks { try await tee.next() })
            return response
        case .file(let url):
            copy(url, as: entry, for: key, ticket: ticket, announced: ResponseCache.announcedLength(of: response))
            return response
        }
    }

    /// The most bytes of a stream that are held in memory.
    var streamMemory: Int { disk == nil ? memory.capacity / 4 : 1_000_000 }

    /// The length the content must have; nil where nothing tells, or what tells is of the coded form.
    private static func announcedLength(of response: HTTPResponse) -> Int64? {
        guard !response.headers.contains("Content-Encoding"), response.request.method != .head else { return nil }
        return response.headers.contentLength
    }

    // MARK: - Entries from writers

    /// Begins a store whose entry comes from a writer; nil when the ticket has ended.
    func beginKeeping(_ key: CacheKey, ticket: CacheTicket) -> UInt64? {
        ledger.withLock { ledger in
            guard ticket.partition == key.partition, ledger.isCurrent(ticket) else {
                ledger.statistics.refusals += 1
                return nil
            }
            return ledger.beginWriting(nil, for: key)
        }
    }

    /// Ends it: `commit` makes the entry visible if its argument still says so.
    func endKeeping(
        _ key: CacheKey, version: UInt64, commit: (@escaping @Sendable () -> Bool) async -> CacheStoreOutcome?
    ) async {
        // From here on no reader finds the older entry in memory; on disk it is replaced in one step.
        ledger.withLock { if $0.isUntouched(key, since: version) { memory.remove(for: key) } }
        let outcome = await commit { [ledger] in ledger.withLock { $0.isUntouched(key, since: version) } }
        let waiters = ledger.withLock { ledger in
            if let outcome, ledger.isUntouched(key, since: version) {
                if outcome == .stored { ledger.statistics.stores += 1 }
                // A reader that has found the older entry meanwhile must not bring it back to memory.
                memory.remove(for: key)
                ledger.overtake(key)
            }
            return ledger.endWriting(key, version: version)
        }
        for waiter in waiters { waiter.resume() }
    }

    // MARK: - Files

    private func copy(
        _ url: URL, as entry: CachedResponse, for key: CacheKey, ticket: CacheTicket, announced: Int64?
    ) {
        guard let file = try? FileSystem.OpenFile(FileSystem.openForReading(url.path)),
            let facts = try? FileSystem.facts(of: file.descriptor), facts.isRegular,
            facts.size == announced ?? facts.size,
            disk != nil || facts.size <= Int64(streamMemory),
            let version = beginKeeping(key, ticket: ticket)
        else { return }
        Task.detached(priority: .utility) { [self] in
            await endKeeping(key, version: version) { isCurrent in
                await copy(file, facts, as: entry, for: key, ticket: ticket, if: isCurrent)
            }
        }
    }

    private func copy(
        _ file: FileSystem.OpenFile, _ facts: FileSystem.Facts, as entry: CachedResponse, for key: CacheKey,
        ticket: CacheTicket, if isCurrent: @escaping @Sendable () -> Bool
    ) async -> CacheStoreOutcome? {
        let isSmall = facts.size <= Int64(streamMemory)
        var writer: (any CacheEntryWriter)?
        if !isSmall {
            writer = await disk?.beginWriting(entry, for: key, length: facts.size)
            if writer == nil {
                await disk?.remove(for: key)
                return .tooLarge
            }
        }
        var content = Data()
        var position: Int64 = 0
        while position < facts.size, isCurrent() {
            guard let piece = await ResponseCache.piece(of: file, at: position), !piece.isEmpty else { break }
            position += Int64(piece.count)
            if let writer {
                guard await writer.append(piece) else { return .failed }
            } else {
                content.append(piece)
            }
        }
        // One that was written to since is not the answer any more.
        guard position == facts.size, let now = try? FileSystem.facts(of: file.descriptor), now.size == facts.size,
            now.modified == facts.modified
        else {
            await writer?.discard()
            return nil
        }
        if let writer { return await writer.commit(entry, if: isCurrent) }
        guard isCurrent() else { return .outdated }
        var entry = entry
        entry.body = .data(content)
        await store(entry, for: key, ticket: ticket)
        return nil
    }

    private static func piece(of file: FileSystem.OpenFile, at position: Int64) async -> Data? {
        try? await CachedFile.perform { () throws(HTTPError) in
            let size = 4 * CacheEntryPrelude.blockLength
            guard let memory = malloc(size) else { throw HTTPError.cancelled }
            let buffer = UnsafeMutableRawBufferPointer(start: memory, count: size)
            guard let count = try? FileSystem.read(file.raw, at: position, into: buffer) else {
                free(memory)
                throw HTTPError.cancelled
            }
            return Data(bytesNoCopy: memory, count: count, deallocator: .free)
        }
    }
}
