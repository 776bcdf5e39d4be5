import Foundation
import Testing

@testable import TrunklineHTTP

/// The decision under the policies that follow the server, as a table.
@Suite("HTTPCacheRules")
struct HTTPCacheRulesTests {
    private static let now = Date(timeIntervalSince1970: 1_700_000_000)

    struct Row: Sendable, CustomTestStringConvertible {
        var policy = CachePolicy.standard
        /// Of the stored answer, 100 s old.
        var stored: String
        var request: HTTPHeaders = [:]
        var expected: CacheDecision

        var testDescription: String { "\(policy) \(stored) \(request.fields.map(\.value))" }
    }

    private static let fresh = CacheDecision.answer(CacheAnswer())
    private static let stale = CacheDecision.answer(CacheAnswer(isStale: true))
    private static let refreshed = CacheDecision.answer(CacheAnswer(isStale: true, refreshes: true))
    private static let validate = CacheDecision.ask(CacheInquiry(.stale, stores: true, validates: true))
    private static let requested = CacheDecision.ask(CacheInquiry(.request, stores: true, validates: true))
    private static let bypass = CacheDecision.ask(CacheInquiry(.bypass))
    private static let forced = CacheDecision.ask(
        CacheInquiry(.request, stores: true, validates: true, forces: true))
    private static let forcedStale = CacheDecision.ask(
        CacheInquiry(.stale, stores: true, validates: true, forces: true))

    private static func control(_ value: String) -> HTTPHeaders { ["Cache-Control": value] }

    static let rows: [Row] = [
        // Freshness.
        Row(stored: "max-age=101", expected: fresh),
        Row(stored: "max-age=100", expected: validate),
        Row(stored: "max-age=0", expected: validate),
        Row(stored: "", expected: validate),
        Row(stored: "private, max-age=500", expected: fresh),
        Row(stored: "s-maxage=500", expected: validate),
        // The answer's directives.
        Row(stored: "max-age=500, no-cache", expected: requested),
        Row(stored: "max-age=500, no-cache=\"a\"", expected: fresh),
        Row(stored: "max-age=500, must-revalidate", expected: fresh),
        Row(stored: "max-age=5, must-revalidate", expected: validate),
        // The request's directives.
        Row(stored: "max-age=500", request: control("no-cache"), expected: requested),
        Row(stored: "max-age=500", request: ["Pragma": "no-cache"], expected: requested),
        Row(stored: "max-age=500", request: ["Pragma": "x"], expected: fresh),
        Row(stored: "max-age=500", request: control("max-age=300").merging(["Pragma": "no-cache"]), expected: fresh),
        Row(stored: "max-age=500", request: control("no-store"), expected: bypass),
        Row(stored: "max-age=500", request: control("max-age=0"), expected: requested),
        Row(stored: "max-age=500", request: control("max-age=99"), expected: requested),
        Row(stored: "max-age=500", request: control("max-age=100"), expected: fresh),
        Row(stored: "max-age=500", request: control("min-fresh=400"), expected: fresh),
        Row(stored: "max-age=500", request: control("min-fresh=401"), expected: requested),
        Row(stored: "max-age=50", request: control("max-stale"), expected: stale),
        Row(stored: "max-age=50", request: control("max-stale=50"), expected: stale),
        Row(stored: "max-age=50", request: control("max-stale=49"), expected: validate),
        Row(stored: "max-age=50, must-revalidate", request: control("max-stale"), expected: validate),
        Row(stored: "max-age=50", request: control("max-stale, min-fresh=1"), expected: validate),
        Row(stored: "max-age=500", request: control("only-if-cached"), expected: fresh),
        Row(stored: "max-age=50", request: control("only-if-cached"), expected: .refuse),
        Row(stored: "max-age=50", request: control("only-if-cached, max-stale"), expected: stale),
        Row(stored: "max-age=500", request: control("only-if-cached, no-store"), expected: .refuse),
        // RFC 5861.
        Row(stored: "max-age=50, stale-while-revalidate=50", expected: refreshed),
        Row(stored: "max-age=50, stale-while-revalidate=49", expected: validate),
        Row(stored: "max-age=50, stale-while-revalidate=50, must-revalidate", expected: validate),
        Row(stored: "max-age=50, stale-while-revalidate=50", request: control("max-age=500"), expected: validate),
        Row(stored: "max-age=50, stale-if-error=500", expected: validate),
        Row(policy: .staleWhileRevalidate(within: .seconds(50)), stored: "max-age=50", expected: refreshed),
        Row(policy: .staleWhileRevalidate(within: .seconds(49)), stored: "max-age=50", expected: validate),
        Row(policy: .staleWhileRevalidate(), stored: "", expected: refreshed),
        Row(policy: .staleWhileRevalidate(), stored: "max-age=500", expected: fresh),
        Row(policy: .staleWhileRevalidate(), stored: "no-cache", expected: validate),
        Row(policy: .staleWhileRevalidate(), stored: "must-revalidate", expected: validate),
        Row(policy: .staleIfError(), stored: "max-age=50", expected: validate),
        // RFC 8246.
        Row(policy: .revalidate, stored: "max-age=500", expected: forced),
        Row(policy: .revalidate, stored: "max-age=500, immutable", expected: fresh),
        Row(policy: .revalidate, stored: "max-age=50, immutable", expected: forcedStale),
        // What only the server can judge.
        Row(stored: "max-age=500", request: ["If-Match": "\"a\""], expected: bypass),
        Row(stored: "max-age=500", request: ["If-Unmodified-Since": "x"], expected: bypass),
        Row(stored: "max-age=500", request: ["Range": "bytes=0-1,3-4"], expected: bypass),
        Row(stored: "max-age=500", request: ["Range": "lines=0-1"], expected: bypass),
        // The caller's own conditions (RFC 9111, section 4.3.2).
        Row(
            stored: "max-age=500", request: ["If-None-Match": "\"x\", W/\"tag\""],
            expected: .answer(.init(.notModified))),
        Row(stored: "max-age=500", request: ["If-None-Match": "*"], expected: .answer(.init(.notModified))),
        Row(stored: "max-age=500", request: ["If-None-Match": "\"x\""], expected: fresh),
        Row(
            stored: "max-age=500",
            request: ["If-None-Match": "\"x\"", "If-Modified-Since": HTTPDate.format(now)], expected: fresh),
        Row(
            stored: "max-age=500", request: ["If-Modified-Since": HTTPDate.format(now)],
            expected: .answer(.init(.notModified))),
        Row(stored: "max-age=500", request: ["If-Modified-Since": "Mon, 01 Jan 2001 00:00:00 GMT"], expected: fresh),
        Row(
            stored: "max-age=50", request: ["If-None-Match": "\"x\""],
            expected: .ask(CacheInquiry(.stale, stores: true))),
        // Ranges from the whole.
        Row(
            stored: "max-age=500", request: ["Range": "bytes=1-2"],
            expected: .answer(.init(.part(1..<3, first: 1, total: 4)))),
        Row(
            stored: "max-age=500", request: ["Range": "bytes=1-2", "If-Range": "\"tag\""],
            expected: .answer(.init(.part(1..<3, first: 1, total: 4)))),
        Row(
            stored: "max-age=500", request: ["Range": "bytes=1-2", "If-Range": "\"old\""],
            expected: .ask(CacheInquiry(.partial, stores: true))),
        Row(
            stored: "max-age=500", request: ["Range": "bytes=4-"],
            expected: .ask(CacheInquiry(.partial, stores: true))),
        Row(
            stored: "max-age=50", request: ["Range": "bytes=1-2"],
            expected: .ask(CacheInquiry(.stale, stores: true))),
    ]

    private static func entry(_ control: String) -> CachedResponse {
        cacheEntry(
            "body",
            headers: [
                "Cache-Control": control, "ETag": "\"tag\"",
                "Last-Modified": HTTPDate.format(now.addingTimeInterval(-101)),
                "Date": HTTPDate.format(now.addingTimeInterval(-100)),
            ], at: now.addingTimeInterval(-100))
    }

    @Test("The table", arguments: rows)
    func table(row: Row) throws {
        let decision = CacheDecision.decide(
            policy: row.policy, request: try cacheRequest("https://h/", headers: row.request),
            entry: Self.entry(row.stored), now: Self.now)
        #expect(decision == row.expected)
    }

    @Test("Without an entry the server is asked, or not, where only the cache may answer")
    func misses() throws {
        let request = try cacheRequest("https://h/")
        func decide(_ request: HTTPRequest, others: Bool = false) -> CacheDecision {
            CacheDecision.decide(
                policy: .standard, request: request, entry: nil, now: Self.now, hasOtherVariants: others)
        }
        #expect(decide(request) == .ask(CacheInquiry(.uriMiss, stores: true)))
        #expect(decide(request, others: true) == .ask(CacheInquiry(.varyMiss, stores: true)))
        let only: HTTPHeaders = ["Cache-Control": "only-if-cached"]
        #expect(decide(try cacheRequest("https://h/", headers: only)) == .refuse)
        #expect(decide(try cacheRequest("https://h/", .options, headers: only)) == .refuse)
        #expect(decide(try cacheRequest("https://h/", .post, headers: only)) == .ask(CacheInquiry(.method)))
    }

    @Test("HEAD is answered from the answer to GET, and asked plainly")
    func head() throws {
        let head = try cacheRequest("https://h/", .head)
        func decide(_ control: String) -> CacheDecision {
            CacheDecision.decide(policy: .standard, request: head, entry: Self.entry(control), now: Self.now)
        }
        #expect(decide("max-age=500") == Self.fresh)
        #expect(decide("max-age=50") == .ask(CacheInquiry(.stale, stores: true)))
    }

    @Test(
        "What stands in for a failure",
        arguments: [
            (.standard, "max-age=50", [:], false), (.standard, "max-age=50, stale-if-error=50", [:], true),
            (.standard, "max-age=50, stale-if-error=49", [:], false),
            (.standard, "max-age=50", control("stale-if-error=50"), true),
            (.standard, "max-age=50, stale-if-error=500, must-revalidate", [:], false),
            (.standard, "max-age=500, no-cache, stale-if-error=500", [:], false),
            (.staleIfError(), "", [:], true), (.staleIfError(within: .seconds(49)), "max-age=50", [:], false),
            (.staleIfError(within: .seconds(50)), "max-age=50", [:], true),
            (.staleIfError(), "must-revalidate", [:], false), (.staleIfError(), "no-cache", [:], false),
            (.staleIfError(), "", control("no-store"), false), (.staleIfError(), "", ["Range": "bytes=0-1"], false),
        ] as [(CachePolicy, String, HTTPHeaders, Bool)])
    func standIn(policy: CachePolicy, stored: String, request: HTTPHeaders, expected: Bool) throws {
        let rules = HTTPCacheRules(
            policy: policy, request: try cacheRequest("https://h/", headers: request), now: Self.now)
        #expect(rules.mayStandIn(Self.entry(stored)) == expected)
    }

    @Test("Storing: what the status, the directives and the message allow (RFC 9111, section 3)")
    func storing() throws {
        func isStorable(
            _ method: HTTPMethod = .get, _ status: Int = 200, _ headers: HTTPHeaders = [:],
            request fields: HTTPHeaders = [:]
        ) throws -> Bool {
            let request = try cacheRequest("https://h/", method, headers: fields)
            return CacheRules.isStorableByHTTP(
                request: request, response: HTTPResponse(request: request, statusCode: status, headers: headers))
        }
        let plain = try (200...599).filter { try isStorable(.get, $0) }
        #expect(plain == [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501])
        for status in [201, 299, 302, 307, 400, 403, 499, 500, 502, 503, 504, 599] {
            #expect(try isStorable(.get, status, Self.control("max-age=5")), "\(status)")
            #expect(try isStorable(.get, status, Self.control("public")), "\(status)")
            #expect(try isStorable(.get, status, ["Expires": "0"]), "\(status)")
        }
        #expect(try !isStorable(.get, 304, Self.control("max-age=5")) && !isStorable(.get, 199))
        #expect(try !isStorable(.get, 200, Self.control("no-store, max-age=5")))
        #expect(try isStorable(.get, 200, Self.control("no-store, must-understand")))
        #expect(try !isStorable(.get, 299, Self.control("must-understand, max-age=5")))
        #expect(try !isStorable(.get, 200, ["Vary": "a, *"]))
        #expect(try !isStorable(.head) && !isStorable(.post) && !isStorable(.put))
        #expect(try !isStorable(.get, 200, request: Self.control("no-store")))
        #expect(try !isStorable(.get, 206, ["Content-Range": "bytes 0-1/2"]))
        #expect(try isStorable(.get, 206, ["Content-Range": "bytes 0-1/2"], request: ["Range": "bytes=0-1"]))
        #expect(try !isStorable(.get, 206, [:], request: ["Range": "bytes=0-1"]))
        let redirected = HTTPResponse(request: try cacheRequest("https://h/other"), statusCode: 200)
        let request = try cacheRequest("https://h/")
        #expect(!CacheRules.isStorableByHTTP(request: request, response: redirected))
        var sent = request
        sent.headers["Cookie"] = "a=b"
        for (vary, partition, expected) in [
            ("Cookie", CachePartition(user: "u"), false), ("Accept", CachePartition(user: "u"), true),
            ("Accept", .shared, false),
        ] {
            let response = HTTPResponse(request: sent, statusCode: 200, headers: ["Vary": vary])
            #expect(
                CacheRules.isStorableByHTTP(request: request, response: response, partition: partition) == expected)
        }
    }
}
