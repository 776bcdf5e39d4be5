import Foundation

extension CacheVisit {
    /// Stores the server's answer where the rules allow it, and gives it.
    func keep(
        _ answer: HTTPResponse, _ inquiry: CacheInquiry, _ found: CacheVariants.Finding, _ key: CacheKey,
        _ ticket: CacheTicket, requestedAt: Date
    ) async -> HTTPResponse {
        var status = CacheStatus(forward: inquiry.forward)
        var answer = answer
        if request.method == .head, policy.followsServer {
            await update(found, by: answer, ticket, requestedAt: requestedAt)
        } else if isStorable(answer, in: key.partition) {
            let entry = entry(of: answer, requestedAt: requestedAt)
            let current = found.entry
            if let combined = combination(entry, answer, current) {
                status.isStored = cache.storeInBackground(combined, for: found.key, ticket: ticket)
            } else if !isLess(entry, than: current) {
                let place = await stage.variants.key(
                    for: entry, to: request, primary: key, ticket: ticket, now: stage.now())
                status.isStored = cache.isCurrent(ticket)
                // Of a stream that is cut short the beginning, where it can be completed later (section 3.3).
                let keepsParts = policy.followsServer && current?.statusCode != 200
                answer = cache.keep(answer, as: entry, for: place, ticket: ticket) { received in
                    keepsParts ? PartialContent.head(of: entry, cutAfter: received) : nil
                }
            }
        } else if CacheRules.supersedes(answer), cache.isCurrent(ticket) {
            await cache.remove(for: found.entry == nil ? key : found.key)
        }
        if status.isStored { tell(.stored) }
        answer.cacheStatus = status
        return answer
    }

    /// The whole that was put together of a stored part and the answer, stored and given.
    func complete(
        _ whole: CachedResponse, _ answer: HTTPResponse, _ inquiry: CacheInquiry, _ key: CacheKey,
        _ ticket: CacheTicket, requestedAt: Date
    ) async throws -> HTTPResponse {
        var whole = whole
        whole.requestedAt = requestedAt
        whole.storedAt = stage.now()
        let isStored = cache.storeInBackground(whole, for: key, ticket: ticket)
        var response = try await whole.response(to: request, now: stage.now())
        response.mark(
            CacheStatus(forward: inquiry.forward, forwardStatus: answer.statusCode, isStored: isStored),
            source: .network)
        return response
    }

    /// After a request that changes something: removes what it made invalid (RFC 9111, section 4.4), and stores the answer to
    /// a POST that is what GET would give (RFC 9110, section 9.3.3).
    func noteChange(_ answer: HTTPResponse, _ ticket: CacheTicket, requestedAt: Date) async -> HTTPResponse {
        for url in Invalidation.urls(after: answer, to: request) {
            await cache.remove(for: stage.key(ofGet: url, like: request))
            // HEAD has an entry of its own under the policies that go by the caller's word.
            var head = request
            (head.method, head.url, head.body) = (.head, url, nil)
            await cache.remove(for: stage.key(of: head, policy: .reload))
            cache.count { $0.invalidations += 1 }
            tell(.invalidated)
        }
        guard policy.followsServer, request.method == .post,
            Invalidation.isRepresentation(answer, of: request.url, now: stage.now())
        else { return answer }
        var asGet = request
        (asGet.method, asGet.body) = (.get, nil)
        guard
            CacheRules.isStorableByHTTP(
                request: asGet, response: answer, partition: request.options.cachePartition)
        else { return answer }
        var entry = CachedResponse(head: answer, to: asGet, requestedAt: requestedAt, storedAt: stage.now())
        entry.headers = StoredFields.storable(entry.headers)
        let key = await stage.variants.key(
            for: entry, to: asGet, primary: stage.key(ofGet: request.url, like: request), ticket: ticket,
            now: stage.now())
        return cache.keep(answer, as: entry, for: key, ticket: ticket)
    }

    private func isStorable(_ answer: HTTPResponse, in partition: CachePartition) -> Bool {
        let byHTTP =
            policy.followsServer
            && CacheRules.isStorableByHTTP(
                request: request, response: answer, partition: partition, hasExplicitKey: hasExplicitKey)
        guard !byHTTP, !policy.followsServer || policy == .revalidate else { return byHTTP }
        return CacheRules.isStorable(
            request: request, response: answer, partition: partition, hasExplicitKey: hasExplicitKey)
    }

    private func entry(of answer: HTTPResponse, requestedAt: Date) -> CachedResponse {
        var entry = CachedResponse(head: answer, to: request, requestedAt: requestedAt, storedAt: stage.now())
        entry.headers = StoredFields.storable(entry.headers)
        // The same question about a part gets the same part.
        if entry.statusCode == 206, let range = request.headers["Range"] { entry.requestHeaders.set("Range", range) }
        return entry
    }

    /// The stored part and the new one in one, where they belong together (RFC 9111, section 3.4).
    private func combination(
        _ entry: CachedResponse, _ answer: HTTPResponse, _ current: CachedResponse?
    ) -> CachedResponse? {
        guard entry.statusCode == 206, let current, current.statusCode == 206, case .data(let data) = answer.body,
            var combined = PartialContent.combined(current, with: entry.headers, data)
        else { return nil }
        combined.requestedAt = entry.requestedAt
        combined.storedAt = entry.storedAt
        return combined
    }

    /// Whether the new entry is a part of what the store has whole.
    private func isLess(_ entry: CachedResponse, than current: CachedResponse?) -> Bool {
        guard entry.statusCode == 206, let current, current.statusCode == 200,
            let validator = Validation.strongValidator(entry.headers)
        else { return false }
        return validator == Validation.strongValidator(current.headers)
    }

    /// After an answer to HEAD (RFC 9111, section 4.3.5): a 200 that speaks of the stored answer to GET updates its head, one
    /// that doesn't makes it invalid.
    private func update(
        _ found: CacheVariants.Finding, by answer: HTTPResponse, _ ticket: CacheTicket, requestedAt: Date
    ) async {
        guard let entry = found.entry, entry.requestMethod == .get, answer.statusCode == 200, cache.isCurrent(ticket)
        else { return }
        guard entry.statusCode == 200, Validation.headConcerns(answer.headers, entry.headers) else {
            if entry.statusCode != 206 { await cache.remove(for: found.key) }
            return
        }
        guard !CacheControl(answer.headers).noStore else { return await cache.remove(for: found.key) }
        let updated = entry.updated(by: answer.headers, requestedAt: requestedAt, storedAt: stage.now())
        cache.storeInBackground(updated, for: found.key, ticket: ticket)
    }
}

extension CachedResponse {
    /// The entry after an answer without content that speaks of it (RFC 9111, section 3.2).
    func updated(by answer: HTTPHeaders, requestedAt: Date, storedAt: Date) -> CachedResponse {
        var updated = self
        updated.headers = StoredFields.updated(headers, by: answer, isPartial: statusCode == 206)
        updated.requestedAt = requestedAt
        updated.storedAt = storedAt
        return updated
    }
}
