import Foundation

/// One request on its way through the cache.
struct CacheVisit: Sendable {
    let stage: CacheStage
    let exchange: Exchange
    let next: Next
    let policy: CachePolicy

    var cache: ResponseCache { stage.cache }
    var request: HTTPRequest { exchange.request }
    var hasExplicitKey: Bool { request.options.cacheKey != nil }

    func run() async throws -> HTTPResponse {
        let eligibility = CacheRules.eligibility(of: request, hasExplicitKey: hasExplicitKey)
        guard eligibility == .cacheable else { return try await pass(eligibility) }

        let key = stage.key(of: request, policy: policy)
        // Before the look: what is found now must not be given, and what is asked now not stored, once the partition was
        // cleared.
        let ticket = cache.ticket(for: key.partition)
        var found = CacheVariants.Finding(key: key)
        if policy.looksFirst { found = await stage.variants.find(key, for: request, now: stage.now()) }
        let decision = decide(found)
        guard case .ask(let inquiry) = decision else { return try await settle(decision, found, key, ticket) }
        // An entry that has to be asked about is asked about once for all who want it now.
        guard inquiry.validates, !inquiry.forces else { return try await ask(inquiry, found, key, ticket) }
        switch try await stage.flights.enter(found.key) {
        case .leads:
            do {
                let response = try await ask(inquiry, found, key, ticket)
                stage.flights.leave(found.key, succeeded: true)
                return response
            } catch {
                stage.flights.leave(found.key, succeeded: false)
                throw error
            }
        case .followed:
            let newer = await stage.variants.find(key, for: request, now: stage.now())
            return try await settle(decide(newer), newer, key, ticket, isCollapsed: true)
        }
    }

    /// Tells whoever listens to the request.
    func tell(_ event: CacheEvent) { exchange.events?.send(.cache(event)) }

    private func decide(_ found: CacheVariants.Finding) -> CacheDecision {
        CacheDecision.decide(
            policy: policy, request: request, entry: found.entry, now: stage.now(),
            hasOtherVariants: found.hasOtherVariants)
    }

    /// Does what was decided.
    private func settle(
        _ decision: CacheDecision, _ found: CacheVariants.Finding, _ key: CacheKey, _ ticket: CacheTicket,
        isCollapsed: Bool = false
    ) async throws -> HTTPResponse {
        switch decision {
        case .refuse:
            tell(.refused)
            throw HTTPError.notInCache
        case .ask(let inquiry):
            return try await ask(inquiry, found, key, ticket)
        case .answer(let answer):
            guard let entry = found.entry else { throw HTTPError.notInCache }
            if answer.refreshes { refresh(found.key, key, ticket) }
            do throws(HTTPError) {
                var response = try await give(entry, answer)
                if isCollapsed { response.cacheStatus?.isCollapsed = true }
                return response
            } catch {
                // The file was damaged, and is gone: as if it had never been there.
                guard case .file = error, policy != .cacheOnly, request.options.cacheTurn != .stored else {
                    throw error
                }
                return try await ask(
                    CacheInquiry(.uriMiss, stores: true), CacheVariants.Finding(key: key), key, ticket)
            }
        }
    }

    /// A request the cache has no answer to, and never will.
    private func pass(_ eligibility: CacheRules.Eligibility) async throws -> HTTPResponse {
        let decision = CacheDecision.decide(policy: policy, request: request, entry: nil, now: stage.now())
        guard case .ask(let inquiry) = decision else {
            tell(.refused)
            throw HTTPError.notInCache
        }
        tell(.bypassed)
        let ticket = cache.ticket(for: request.options.cachePartition)
        let requestedAt = stage.now()
        var response = try await next(exchange)
        if eligibility == .mutation {
            response = await noteChange(response, ticket, requestedAt: requestedAt)
        }
        response.cacheStatus = CacheStatus(forward: inquiry.forward)
        return response
    }

    /// Asks the server in the background, once for each entry however many want it.
    private func refresh(_ variant: CacheKey, _ key: CacheKey, _ ticket: CacheTicket) {
        var request = request
        // Nobody waits for the content: it goes into the store piece by piece where it would not be in memory anyway.
        if request.options.delivery != .data { request.options.delivery = .stream }
        // Neither the caller's gate nor its progress or time limit.
        let exchange = Exchange(request: request, timeouts: exchange.timeouts)
        let visit = CacheVisit(stage: stage, exchange: exchange, next: next, policy: policy)
        stage.flights.refresh(variant) {
            // A refresh that has ended since the caller looked was this one.
            let found = await visit.stage.variants.find(key, for: visit.request, now: visit.stage.now())
            if case .answer(let answer) = visit.decide(found), !answer.refreshes { return }
            let isPossible = found.entry.map { Validation.isPossible($0.headers) } ?? false
            let inquiry = CacheInquiry(
                .stale, stores: true, validates: isPossible && visit.request.method != .head)
            guard let response = try? await visit.ask(inquiry, found, key, ticket, standsIn: false) else { return }
            if case .stream(let chunks) = response.body {
                do { for try await _ in chunks {} } catch {}
            }
        }
    }
}
