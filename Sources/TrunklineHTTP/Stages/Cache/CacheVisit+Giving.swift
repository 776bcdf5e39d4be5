import Foundation

extension CacheVisit {
    /// The entry as the answer to the request.
    func give(_ entry: CachedResponse, _ answer: CacheAnswer, detail: String? = nil) async throws(HTTPError)
        -> HTTPResponse
    {
        let now = stage.now()
        let age = entry.freshness.age(at: now)
        let timeToLive = CacheVisit.timeToLive(entry, now)
        var entry = entry
        switch answer.form {
        case .whole: break
        case .part(let offsets, let first, let total): try cut(&entry, offsets, first: first, total: total)
        case .notModified: CacheVisit.empty(&entry)
        }
        if request.method == .head { entry.body = .empty }
        var response = try await entry.response(to: request, now: now)
        let source: ResponseSource = answer.isStale ? .stale(age: .seconds(age)) : response.source
        // RFC 9111, section 5.1: whoever uses a stored answer says how old it is.
        response.mark(
            CacheStatus(isHit: true, timeToLive: timeToLive, detail: detail), source: source,
            age: CacheVisit.whole(age))
        if answer.isStale { cache.count { $0.staleAnswers += 1 } }
        if let age = source.age {
            tell(detail != nil ? .fallback(age: age) : answer.isStale ? .stale(age: age) : .hit(age: age))
        }
        return response
    }

    /// The entry the server has just spoken of, as the answer to the request (RFC 9111, section 4.3.3).
    func give(
        revalidated entry: CachedResponse, by answer: HTTPResponse, forward: CacheStatus.Forward, isStored: Bool
    ) async throws -> HTTPResponse {
        tell(.revalidated)
        let now = stage.now()
        var response = try await entry.response(to: request, now: now)
        response.metrics = answer.metrics
        response.mark(
            CacheStatus(
                forward: forward, forwardStatus: 304, timeToLive: CacheVisit.timeToLive(entry, now),
                isStored: isStored),
            source: .revalidated(age: .seconds(entry.freshness.age(at: now))))
        return response
    }

    /// Leaves a part of the entry, as a 206 (RFC 9110, section 15.3.7).
    private func cut(
        _ entry: inout CachedResponse, _ offsets: Range<Int64>, first: Int64, total: Int64?
    ) throws(HTTPError) {
        guard let body = entry.body.slice(offsets) else { throw .notInCache }
        entry.body = body
        entry.statusCode = 206
        let place = ContentRange(first: first, last: first + Int64(offsets.count) - 1, total: total)
        entry.headers.set("Content-Range", place.text)
        entry.headers.set("Content-Length", String(offsets.count))
    }

    /// Leaves the head of a 304 (RFC 9110, section 15.4.5).
    private static func empty(_ entry: inout CachedResponse) {
        entry.statusCode = 304
        entry.body = .empty
        for name in ["Content-Length", "Content-Type", "Content-Encoding", "Content-Range"] {
            entry.headers.remove(name)
        }
    }

    private static func timeToLive(_ entry: CachedResponse, _ now: Date) -> Int {
        Int(max(-1e9, min(1e9, entry.freshness.remaining(at: now).rounded(.down))))
    }

    /// delta-seconds (RFC 9111, section 1.2.2).
    private static func whole(_ seconds: Double) -> String {
        String(Int(max(0, min(Double(CacheControl.longest), seconds.rounded(.down)))))
    }
}
