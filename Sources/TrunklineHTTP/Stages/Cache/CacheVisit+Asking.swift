import Foundation

extension CacheVisit {
    /// Asks the server, and gives its answer or, where the rules allow it, what is stored.
    ///
    /// - Parameter standsIn: whether an entry may stand in for a failure.
    func ask(
        _ inquiry: CacheInquiry, _ found: CacheVariants.Finding, _ key: CacheKey, _ ticket: CacheTicket,
        standsIn: Bool = true
    ) async throws -> HTTPResponse {
        var sent = exchange
        prepare(&sent.request, inquiry, found.entry)
        tell(inquiry.validates ? .revalidating : inquiry.forward == .bypass ? .bypassed : .miss)
        let requestedAt = stage.now()
        let answer: HTTPResponse
        do {
            answer = try await next(sent)
        } catch {
            guard standsIn, !Task.isCancelled, CacheDecision.isNetworkFailure(HTTPError(error)),
                let response = await standIn(key, ticket, failure: nil, detail: "the network failed")
            else { throw error }
            return response
        }
        guard inquiry.stores else { return marked(answer, inquiry) }

        if let entry = found.entry, inquiry.validates, answer.statusCode == 304 {
            guard Validation.concerns(answer.headers, entry.headers) else {
                // It speaks of another answer (RFC 9111, section 4.3.4).
                return try await askAgain(inquiry, key, ticket, standsIn: standsIn)
            }
            let updated = entry.updated(by: answer.headers, requestedAt: requestedAt, storedAt: stage.now())
            let isStored = cache.storeInBackground(updated, for: found.key, ticket: ticket)
            cache.noteRevalidation()
            return try await give(revalidated: updated, by: answer, forward: inquiry.forward, isStored: isStored)
        }
        if inquiry.completesFrom != nil, answer.statusCode == 206 {
            guard let entry = found.entry,
                let whole = PartialContent.combined(entry, with: answer.headers, answer.data), whole.statusCode == 200
            else { return try await askAgain(inquiry, key, ticket, standsIn: standsIn) }
            return try await complete(whole, answer, inquiry, found.key, ticket, requestedAt: requestedAt)
        }
        if standsIn, StatusCodes.isServerFailure(answer.statusCode),
            let response = await standIn(
                key, ticket, failure: answer.statusCode, detail: "the server answered \(answer.statusCode)")
        {
            await discard(answer)
            return response
        }
        return await keep(answer, inquiry, found, key, ticket, requestedAt: requestedAt)
    }

    /// Asks for the whole, without conditions.
    private func askAgain(
        _ inquiry: CacheInquiry, _ key: CacheKey, _ ticket: CacheTicket, standsIn: Bool
    ) async throws -> HTTPResponse {
        let whole = CacheInquiry(inquiry.forward, stores: true, forces: inquiry.forces)
        return try await ask(whole, CacheVariants.Finding(key: key), key, ticket, standsIn: standsIn)
    }

    /// The request as it goes out.
    private func prepare(_ request: inout HTTPRequest, _ inquiry: CacheInquiry, _ entry: CachedResponse?) {
        if inquiry.forces {
            // RFC 9111, section 5.2.1: `no-cache` for the whole anew, `max-age=0` for the question whether it has changed.
            request.headers.setDefault("Cache-Control", policy == .reload ? "no-cache" : "max-age=0")
        }
        guard let entry else { return }
        if inquiry.validates { Validation.addConditions(to: &request.headers, from: entry.headers) }
        if let first = inquiry.completesFrom {
            request.headers.set("Range", "bytes=\(first)-")
            if let validator = Validation.strongValidator(entry.headers) {
                request.headers.set("If-Range", validator)
            }
        }
    }

    private func marked(_ answer: HTTPResponse, _ inquiry: CacheInquiry) -> HTTPResponse {
        var answer = answer
        answer.cacheStatus = CacheStatus(forward: inquiry.forward)
        return answer
    }

    /// The stored entry in place of a failure, where the policy and the server allow it and the partition is still the one
    /// that was asked for.
    ///
    /// - Parameter failure: the server's status; nil for a failure of the network.
    private func standIn(
        _ key: CacheKey, _ ticket: CacheTicket, failure: Int?, detail: String
    ) async -> HTTPResponse? {
        guard policy.followsServer || policy == .networkFirst && failure == nil else { return nil }
        let now = stage.now()
        guard let entry = await stage.variants.find(key, for: request, now: now).entry, cache.isCurrent(ticket) else {
            return nil
        }
        if policy.followsServer {
            guard HTTPCacheRules(policy: policy, request: request, now: now).mayStandIn(entry) else { return nil }
            let isStale = entry.freshness.remaining(at: now) <= 0
            return try? await give(entry, CacheAnswer(isStale: isStale), detail: detail)
        }
        guard CacheRules.isWhole(entry), !CacheRules.isPartialOrConditional(request.headers) else { return nil }
        return try? await give(entry, CacheAnswer(isStale: true), detail: detail)
    }

    /// Lets go of an answer nobody gets: a stream that is not read would hold its connection.
    private func discard(_ answer: HTTPResponse) async {
        if case .file(let url) = answer.body { try? FileSystem.delete(url.path) }
    }
}
