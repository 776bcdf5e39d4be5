import Foundation

/// The answers of one URL for different values of the request fields that `Vary` names (RFC 9111, section 4.1), over a store
/// that knows keys and entries only.
///
/// Under the key of the request, the primary key, is the entry, or a marker where the answers vary: it lists the sets of
/// names seen, and a number drawn at random. The entries are under keys made of the primary key, that number, the names and the
/// request's normalised values. So a marker's removal removes all variants, and no old one comes back with a new marker.
struct CacheVariants: Sendable {
    let cache: ResponseCache

    /// What the store has for a request.
    struct Finding: Sendable {
        /// The entry of the variant the request selects.
        var entry: CachedResponse?
        /// Whether there are others.
        var hasOtherVariants = false
        /// The key of ``entry``.
        var key: CacheKey
    }

    /// The entry for the request. Without a wait where all is in memory.
    func find(_ primary: CacheKey, for request: HTTPRequest, now: Date) async -> Finding {
        guard let record = await entry(primary, now) else { return Finding(key: primary) }
        guard let marker = VariantMarker(record) else {
            let matches = CacheRules.matches(record, request)
            return Finding(entry: matches ? record : nil, hasOtherVariants: !matches, key: primary)
        }
        var newest: Finding?
        for key in marker.keys(under: primary, for: request.headers) {
            guard let found = await entry(key, now), marker.accepts(found, for: request) else { continue }
            // Section 4: of several, the most recent.
            if let storedAt = newest?.entry?.storedAt, storedAt >= found.storedAt { continue }
            newest = Finding(entry: found, hasOtherVariants: true, key: key)
        }
        return newest ?? Finding(hasOtherVariants: true, key: primary)
    }

    private func entry(_ key: CacheKey, _ now: Date) async -> CachedResponse? {
        if let entry = cache.memoryResponse(for: key, now: now) { return entry }
        return await cache.response(for: key, now: now)
    }

    /// The key to store an answer under, after the marker was made ready for it.
    ///
    /// - Parameter answer: the head to be stored.
    func key(
        for answer: CachedResponse, to request: HTTPRequest, primary: CacheKey, ticket: CacheTicket, now: Date
    ) async -> CacheKey {
        let names = SelectedFields.names(answer.headers)
        guard !names.isEmpty else { return primary }
        let record = await entry(primary, now)
        let old = record.flatMap { VariantMarker($0) }
        var marker = old ?? VariantMarker()
        marker.add(names, answer, request.headers)
        let age = record.map { now.timeIntervalSince($0.storedAt) } ?? 0
        let refreshInterval = min(3600, (cache.retention?.seconds ?? .infinity) / 2)
        if marker != old || abs(age) > refreshInterval {
            cache.storeInBackground(marker.record(for: answer, at: now), for: primary, ticket: ticket)
        }
        return marker.key(under: primary, names: names, values: SelectedFields.of(request.headers, names: names))
    }
}
