import Foundation
import Testing

@testable import TrunklineHTTP

/// The policies that go by the caller's word; those of HTTP are in `HTTPCacheRulesTests`.
@Suite("CacheDecision")
struct CacheDecisionTests {
    private static let now = Date(timeIntervalSince1970: 1_700_000_000)

    enum Kind: Sendable {
        case cacheable, uncacheable, mutation

        var method: HTTPMethod {
            switch self {
            case .cacheable: .get
            case .uncacheable: .options
            case .mutation: .put
            }
        }
    }

    struct Row: Sendable {
        var policy: CachePolicy
        var kind: Kind
        /// Seconds since the entry was stored, nil for no entry.
        var age: Double?
        var expected: CacheDecision
    }

    private static let bypass = CacheDecision.ask(CacheInquiry(.bypass))
    private static let method = CacheDecision.ask(CacheInquiry(.method))
    private static let miss = CacheDecision.ask(CacheInquiry(.uriMiss, stores: true))
    private static let stale = CacheDecision.ask(CacheInquiry(.stale, stores: true))
    private static let anew = CacheDecision.ask(CacheInquiry(.request, stores: true))
    private static let forced = CacheDecision.ask(CacheInquiry(.request, stores: true, forces: true))
    private static let answer = CacheDecision.answer(CacheAnswer())
    private static let both = CacheDecision.answer(CacheAnswer(refreshes: true))
    private static let minute = CachePolicy.cacheFirst(maxAge: .seconds(60))

    static let rows: [Row] = [
        Row(policy: .networkOnly, kind: .cacheable, age: 1, expected: bypass),
        Row(policy: .networkOnly, kind: .cacheable, age: nil, expected: bypass),
        Row(policy: .reload, kind: .cacheable, age: 1, expected: forced),
        Row(policy: .reload, kind: .cacheable, age: nil, expected: forced),
        Row(policy: minute, kind: .cacheable, age: 59, expected: answer),
        Row(policy: minute, kind: .cacheable, age: 60, expected: stale),
        Row(policy: minute, kind: .cacheable, age: nil, expected: miss),
        Row(policy: minute, kind: .cacheable, age: -5, expected: answer),
        Row(policy: minute, kind: .cacheable, age: -3600, expected: stale),
        Row(policy: .networkFirst, kind: .cacheable, age: 1, expected: anew),
        Row(policy: .networkFirst, kind: .cacheable, age: nil, expected: miss),
        Row(policy: .cacheThenNetwork, kind: .cacheable, age: 1e8, expected: both),
        Row(policy: .cacheThenNetwork, kind: .cacheable, age: nil, expected: miss),
        Row(policy: .cacheOnly, kind: .cacheable, age: 1e8, expected: answer),
        Row(policy: .cacheOnly, kind: .cacheable, age: -1e8, expected: answer),
        Row(policy: .cacheOnly, kind: .cacheable, age: nil, expected: .refuse),
        Row(policy: .networkOnly, kind: .uncacheable, age: 1, expected: bypass),
        Row(policy: .reload, kind: .uncacheable, age: 1, expected: bypass),
        Row(policy: minute, kind: .uncacheable, age: 1, expected: bypass),
        Row(policy: .networkFirst, kind: .uncacheable, age: 1, expected: bypass),
        Row(policy: .cacheOnly, kind: .uncacheable, age: 1, expected: .refuse),
        Row(policy: .networkOnly, kind: .mutation, age: 1, expected: bypass),
        Row(policy: .reload, kind: .mutation, age: 1, expected: method),
        Row(policy: minute, kind: .mutation, age: 1, expected: method),
        Row(policy: .networkFirst, kind: .mutation, age: 1, expected: method),
        Row(policy: .cacheOnly, kind: .mutation, age: 1, expected: method),
        Row(policy: .standard, kind: .mutation, age: 1, expected: method),
        Row(policy: .cacheThenNetwork, kind: .mutation, age: 1, expected: method),
    ]

    @Test("The table of policies", arguments: rows)
    func table(row: Row) throws {
        let entry = row.age.map { cacheEntry(at: Self.now.addingTimeInterval(-$0)) }
        let decision = CacheDecision.decide(
            policy: row.policy, request: try cacheRequest("https://h/", row.kind.method), entry: entry, now: Self.now)
        #expect(decision == row.expected)
    }

    @Test("Where the entry has validators, the server is asked about it")
    func validation() throws {
        let entry = cacheEntry(headers: ["ETag": "\"a\""], at: Self.now.addingTimeInterval(-100))
        let request = try cacheRequest("https://h/")
        for policy in [CacheDecisionTests.minute, .networkFirst] {
            guard
                case .ask(let inquiry) = CacheDecision.decide(
                    policy: policy, request: request, entry: entry, now: Self.now)
            else {
                Issue.record("\(policy)")
                continue
            }
            #expect(inquiry.validates && inquiry.stores)
        }
    }

    @Test("Failures, parts and redirects in the store are nothing to the policies that go by the caller's word")
    func onlyWholeSuccesses() throws {
        let request = try cacheRequest("https://h/")
        for status in [206, 301, 404, 500] {
            let entry = cacheEntry(status: status, at: Self.now)
            for policy in [CachePolicy.cacheOnly, .cacheThenNetwork, CacheDecisionTests.minute] {
                let decision = CacheDecision.decide(policy: policy, request: request, entry: entry, now: Self.now)
                #expect(decision == (policy == .cacheOnly ? .refuse : CacheDecisionTests.miss), "\(status) \(policy)")
            }
        }
    }

    @Test("A request that wants the stored answer alone is never sent, whatever its method")
    func storedTurn() throws {
        for method: HTTPMethod in [.get, .post, .delete, .options, "PURGE"] {
            var request = try cacheRequest("https://h/", method)
            request.options.cacheTurn = .stored
            #expect(
                CacheDecision.decide(policy: .cacheThenNetwork, request: request, entry: nil, now: Self.now) == .refuse)
        }
    }

    @Test("Only failures of the network let an old answer in")
    func networkFailures() throws {
        let response = HTTPResponse(request: try cacheRequest("https://h/"), statusCode: 404)
        let network: [HTTPError] = [
            .timedOut(.idle), .offline, .nameResolution(host: "h"), .connectionFailed(reason: ""),
            .connectionLost(ConnectionLoss(stage: .duringBody, reason: "")), .invalidResponse(reason: ""),
        ]
        let others: [HTTPError] = [
            .cancelled, .sessionInvalidated, .invalidRequest(.method("")), .notInCache, .emptyResponse(response),
            .validation(ValidationFailure(reason: .unacceptableStatus(404), response: response)),
            .tls(TLSFailure(reason: .pinMismatch, detail: "")), .custom(CancellationError()),
            .tooManyRedirects(limit: 1, response),
        ]
        for error in network { #expect(CacheDecision.isNetworkFailure(error), "\(error)") }
        for error in others { #expect(!CacheDecision.isNetworkFailure(error), "\(error)") }
    }
}
