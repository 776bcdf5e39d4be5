import Foundation
import TestSupport
import Testing

@testable import TrunklineHTTP

/// Header sets of servers and callers, mutated: nothing may trap, and what is decided must hold together.
@Suite("Cache header fuzz")
struct CacheHeaderFuzzTests {
    private static let names = [
        "Cache-Control", "Expires", "Date", "Age", "Last-Modified", "ETag", "Vary", "Content-Range", "Content-Length",
        "Content-Location", "Location", "Connection", "Content-Encoding", "Content-Language", "Pragma", "Set-Cookie",
    ]
    private static let requestNames = [
        "Cache-Control", "Pragma", "Range", "If-Range", "If-None-Match", "If-Modified-Since", "If-Match",
        "Accept-Language", "Accept", "Cookie",
    ]
    private static let values = [
        "max-age=3600", "no-cache=\"a, b\", max-age=5", "max-stale=9223372036854775807", "stale-while-revalidate=10",
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "0", "-1",
        "2147483648", "18446744073709551616", "\"abc\"", "W/\"abc\", \"d,e\"", "*", "bytes 0-4/10",
        "bytes 9223372036854775806-9223372036854775807/*", "bytes=0-4", "bytes=-5", "bytes=9223372036854775807-",
        "de;q=0.5, en;q=1.0, *;q=0", "Accept-Language, Cookie", "gzip", "https://h/x", "../y", "", ",,;=\"",
        "\u{FC}\u{1F600}",
    ]

    private static func headers(_ names: [String], _ random: inout SeededRandom) -> HTTPHeaders {
        var headers = HTTPHeaders()
        for _ in 0..<Int.random(in: 0...6, using: &random) {
            headers.add(names.randomElement(using: &random) ?? "", mutated(&random))
        }
        return headers
    }

    private static func mutated(_ random: inout SeededRandom) -> String {
        var bytes = Array((values.randomElement(using: &random) ?? "").utf8)
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            let place = Int.random(in: 0...bytes.count, using: &random)
            switch Int.random(in: 0...3, using: &random) {
            case 0 where place < bytes.count: bytes.remove(at: place)
            case 1: bytes.insert(contentsOf: (values.randomElement(using: &random) ?? "").utf8, at: place)
            case 2 where place < bytes.count: bytes[place] = UInt8.random(in: 0...255, using: &random)
            default: bytes.insert(contentsOf: ",;=\" \t-/".utf8.shuffled(using: &random).prefix(2), at: place)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let policies: [CachePolicy] = [
        .standard, .revalidate, .staleWhileRevalidate(), .staleIfError(within: .seconds(5)), .cacheOnly, .reload,
        .networkFirst, .cacheThenNetwork, .cacheFirst(maxAge: .seconds(50)),
    ]

    @Test("Every decision about mutated header sets is sound")
    func headerSetsFuzz() async throws {
        let url = try cacheURL("https://h/a")
        let rounds = FuzzRounds.count(full: 100_000)
        let seed = UInt64.random(in: .min ... .max)
        let failure: String? = await HeavyWork.run {
            var random = SeededRandom(seed: seed)
            for round in 0..<rounds {
                if let failure = Self.round(url, &random) { return "round \(round): \(failure)" }
            }
            return nil
        }
        #expect(failure == nil, "seed \(seed)")
    }

    private static func round(_ url: URL, _ random: inout SeededRandom) -> String? {
        let start = Date(timeIntervalSince1970: 1_700_000_000)
        let request = HTTPRequest(
            method: [.get, .head, .post, "PURGE"].randomElement(using: &random) ?? .get, url: url,
            headers: headers(requestNames, &random))
        let status = [200, 206, 204, 304, 404, 500, 999].randomElement(using: &random) ?? 200
        let answer = HTTPResponse(
            request: request, statusCode: status, headers: headers(names, &random), body: .data(Data("0123456789".utf8))
        )
        var entry = CachedResponse(
            head: answer, to: request, requestedAt: start.addingTimeInterval(.random(in: -99...99, using: &random)),
            storedAt: start)
        entry.headers = StoredFields.storable(entry.headers)
        let now = start.addingTimeInterval(.random(in: -1000...1e6, using: &random))
        let policy = policies.randomElement(using: &random) ?? .standard

        _ = CacheRules.isStorable(request: request, response: answer)
        _ = CacheRules.isStorableByHTTP(request: request, response: answer)
        for url in Invalidation.urls(after: answer, to: request) where Origin(url) != Origin(request.url) {
            return "another origin is invalidated: \(url)"
        }
        _ = Invalidation.isRepresentation(answer, of: url, now: now)
        var marker = VariantMarker()
        marker.add(SelectedFields.names(entry.headers), entry, request.headers)
        _ = marker.keys(under: CacheKey(request: request), for: headers(requestNames, &random))
        if VariantMarker(marker.record(for: entry, at: now)) != marker { return "the marker came back changed" }

        let updated = entry.updated(by: headers(names, &random), requestedAt: start, storedAt: now)
        if updated.headers["Content-Length"] != entry.headers["Content-Length"] { return "the length changed" }
        if let combined = PartialContent.combined(entry, with: headers(names, &random), Data("abcde".utf8)),
            let place = ContentRange(of: combined.headers), place.count != combined.body.count
        {
            return "a combined part is not where it says"
        }
        if let cut = PartialContent.head(of: entry, cutAfter: .random(in: 0...12, using: &random)),
            ContentRange(of: cut.headers) == nil
        {
            return "a cut answer has no place"
        }
        let decision = CacheDecision.decide(policy: policy, request: request, entry: entry, now: now)
        return unsound(decision, policy, request, entry, now)
    }

    /// What must hold of every decision, or what does not.
    private static func unsound(
        _ decision: CacheDecision, _ policy: CachePolicy, _ request: HTTPRequest, _ entry: CachedResponse, _ now: Date
    ) -> String? {
        let rules = HTTPCacheRules(policy: policy, request: request, now: now)
        let said = CacheControl(entry.headers)
        if policy.followsServer, rules.mayStandIn(entry), said.mustRevalidate || said.noCache {
            return "it stands in although the server forbids it"
        }
        guard case .answer(let answer) = decision else { return nil }
        if !request.method.isSafe { return "an unsafe request is answered" }
        if case .part(let offsets, _, _) = answer.form, entry.body.slice(offsets) == nil {
            return "a part beyond the content: \(offsets)"
        }
        guard policy.followsServer else { return nil }
        let asked = CacheControl(request.headers)
        if asked.noStore || asked.noCache || said.noCache { return "answered against no-cache or no-store" }
        let isStale = entry.freshness.remaining(at: now) <= 0
        if isStale != answer.isStale { return "stale and not said so, or the other way round" }
        if isStale, said.mustRevalidate { return "stale against must-revalidate" }
        return nil
    }
}
