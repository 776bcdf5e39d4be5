import Foundation

/// The rules of HTTP about answering from an entry (RFC 9111, section 4), for the policies that follow the server. Sections
/// named are of RFC 9111.
struct HTTPCacheRules {
    let policy: CachePolicy
    let request: HTTPRequest
    let now: Date
    private let directives: RequestDirectives

    init(policy: CachePolicy, request: HTTPRequest, now: Date) {
        self.policy = policy
        self.request = request
        self.now = now
        directives = RequestDirectives.of(request.headers)
    }

    /// - Parameter miss: why there is no entry, where there is none.
    func decide(_ entry: CachedResponse?, miss: CacheStatus.Forward) -> CacheDecision {
        let asked = directives.control
        // Conditions on the server's state are the server's (section 4.3.2), and so are ranges of other units and several
        // ranges at once; `no-store` of the request means that the cache keeps out (section 5.2.1.5).
        if asked.noStore || directives.isForServer || directives.hasRange && directives.range == nil
            || directives.hasRange && request.method != .get
        {
            return asked.onlyIfCached ? .refuse : .ask(CacheInquiry(.bypass))
        }
        guard let entry else {
            // Section 5.2.1.7.
            return asked.onlyIfCached ? .refuse : .ask(CacheInquiry(miss, stores: true))
        }
        let freshness = entry.freshness
        if let staleness = usability(freshness), let form = form(of: entry) {
            return .answer(CacheAnswer(form, isStale: staleness.isStale, refreshes: staleness.refreshes))
        }
        if asked.onlyIfCached { return .refuse }
        return .ask(inquiry(entry, freshness))
    }

    /// Whether the entry may be used without asking (section 4), and how; nil when it may not.
    private func usability(_ freshness: Freshness) -> (isStale: Bool, refreshes: Bool)? {
        let asked = directives.control
        let said = freshness.control
        // Sections 5.2.1.4 and 5.2.2.4.
        guard !asked.noCache, !said.noCache else { return nil }
        let age = freshness.age(at: now)
        let remaining = freshness.lifetime - age
        // RFC 8246, section 2: what doesn't change while it is fresh is not asked about.
        if case .revalidate = policy, !(said.immutable && remaining > 0) { return nil }
        // Section 5.2.1.1.
        if let maxAge = asked.maxAge, age > Double(maxAge) || maxAge == 0 { return nil }
        // Sections 4.2 and 5.2.1.3.
        if remaining > 0, remaining >= Double(asked.minFresh ?? 0) { return (false, false) }
        // Section 5.2.2.2; a caller who wants it fresh for longer doesn't want it stale (section 5.2.1.3).
        guard !said.mustRevalidate, asked.minFresh == nil, remaining <= 0 else { return nil }
        // Sections 4.2.4 and 5.2.1.2.
        if let maxStale = asked.maxStale, -remaining <= Double(maxStale) { return (true, false) }
        // RFC 5861, section 3: answered at once, and asked about in the background.
        guard asked.maxAge == nil, -remaining <= revalidationWindow(said) else { return nil }
        return (true, true)
    }

    private func revalidationWindow(_ said: CacheControl) -> Double {
        let server = Double(said.staleWhileRevalidate ?? -1)
        guard case .staleWhileRevalidate(let within) = policy else { return server }
        return max(server, within?.seconds ?? .infinity)
    }

    /// What of the entry answers the request; nil when it has not all of it.
    private func form(of entry: CachedResponse) -> CacheAnswer.Form? {
        guard directives.hasRange else {
            if entry.statusCode == 206 { return nil }
            let isNotModified =
                directives.isConditional && entry.statusCode == 200
                && Validation.isNotModified(request.headers, entry: entry.headers, arrivedAt: entry.storedAt)
            return isNotModified ? .notModified : .whole
        }
        // Section 4.3.2: with conditions and a range at once, the server decides.
        guard let range = directives.range, !directives.isConditional else { return nil }
        if let condition = directives.ifRange, !Validation.ifRange(condition, matches: entry.headers) { return nil }
        return PartialContent.form(of: entry, for: range, field: request.headers["Range"])
    }

    /// How the server is asked about an entry that can't be used as it is.
    private func inquiry(_ entry: CachedResponse, _ freshness: Freshness) -> CacheInquiry {
        let isFresh = freshness.remaining(at: now) > 0
        var inquiry = CacheInquiry(isFresh ? .request : .stale, stores: true)
        if case .revalidate = policy { inquiry.forces = true }
        // The caller's own conditions and ranges go out as they are; a HEAD needs none (section 4.3.5).
        guard request.method != .head, !directives.isConditional, !directives.hasRange else {
            if directives.hasRange, isFresh { inquiry.forward = .partial }
            return inquiry
        }
        guard entry.statusCode != 206 else {
            // Section 3.4: the rest of a part from the beginning. A stale part is asked about by the condition that goes with
            // the range, which needs a strong validator; a fresh one is right without.
            let isUsable = isFresh && !freshness.control.noCache && !directives.control.noCache
            if let rest = PartialContent.missing(from: entry), request.options.delivery == .data,
                isUsable || Validation.strongValidator(entry.headers) != nil
            {
                inquiry.completesFrom = rest
                if isUsable { inquiry.forward = .partial }
            }
            return inquiry
        }
        inquiry.validates = Validation.isPossible(entry.headers)
        return inquiry
    }

    /// Whether the entry may stand in for a failure (section 4.2.4; RFC 5861, section 4): of the network, or a 500, 502, 503
    /// or 504 of the server.
    func mayStandIn(_ entry: CachedResponse) -> Bool {
        let freshness = entry.freshness
        let said = freshness.control
        guard !said.mustRevalidate, !said.noCache, !directives.hasRange, !directives.isForServer,
            !directives.control.noStore, entry.statusCode != 206
        else { return false }
        var window = Double(max(said.staleIfError ?? -1, directives.control.staleIfError ?? -1))
        if case .staleIfError(let within) = policy { window = max(window, within?.seconds ?? .infinity) }
        return -freshness.remaining(at: now) <= window
    }
}
