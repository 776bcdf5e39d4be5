import Foundation
import Testing

@testable import TrunklineHTTP

@Suite("CacheDecision")
struct CacheDecisionTests {
    private static let now = Date(timeIntervalSince1970: 1_700_000_000)

    struct Row: Sendable {
        var policy: CachePolicy
        var eligibility: CacheRules.Eligibility
        /// Seconds since the entry was stored, nil for no entry.
        var age: Double?
        var expected: CacheDecision
    }

    private static let plain = CacheDecision.ask(storing: false, fallingBack: false)
    private static let storing = CacheDecision.ask(storing: true, fallingBack: false)
    private static let fallback = CacheDecision.ask(storing: true, fallingBack: true)
    private static let minute = CachePolicy.cacheFirst(maxAge: .seconds(60))

    static let rows: [Row] = [
        Row(policy: .networkOnly, eligibility: .cacheable, age: 1, expected: plain),
        Row(policy: .networkOnly, eligibility: .cacheable, age: nil, expected: plain),
        Row(policy: .reload, eligibility: .cacheable, age: 1, expected: storing),
        Row(policy: .reload, eligibility: .cacheable, age: nil, expected: storing),
        Row(policy: minute, eligibility: .cacheable, age: 59, expected: .answer),
        Row(policy: minute, eligibility: .cacheable, age: 60, expected: storing),
        Row(policy: minute, eligibility: .cacheable, age: nil, expected: storing),
        Row(policy: minute, eligibility: .cacheable, age: -5, expected: .answer),
        Row(policy: minute, eligibility: .cacheable, age: -3600, expected: storing),
        Row(policy: .networkFirst, eligibility: .cacheable, age: 1, expected: fallback),
        Row(policy: .networkFirst, eligibility: .cacheable, age: nil, expected: fallback),
        Row(policy: .cacheOnly, eligibility: .cacheable, age: 1e8, expected: .answer),
        Row(policy: .cacheOnly, eligibility: .cacheable, age: -1e8, expected: .answer),
        Row(policy: .cacheOnly, eligibility: .cacheable, age: nil, expected: .refuse),
        Row(policy: .networkOnly, eligibility: .uncacheable, age: 1, expected: plain),
        Row(policy: .reload, eligibility: .uncacheable, age: 1, expected: plain),
        Row(policy: minute, eligibility: .uncacheable, age: 1, expected: plain),
        Row(policy: .networkFirst, eligibility: .uncacheable, age: 1, expected: plain),
        Row(policy: .cacheOnly, eligibility: .uncacheable, age: 1, expected: .refuse),
        Row(policy: .networkOnly, eligibility: .mutation, age: 1, expected: plain),
        Row(policy: .reload, eligibility: .mutation, age: 1, expected: plain),
        Row(policy: minute, eligibility: .mutation, age: 1, expected: plain),
        Row(policy: .networkFirst, eligibility: .mutation, age: 1, expected: plain),
        Row(policy: .cacheOnly, eligibility: .mutation, age: 1, expected: plain),
    ]

    @Test("The table of policies", arguments: rows)
    func table(row: Row) {
        let entry = row.age.map { cacheEntry(at: Self.now.addingTimeInterval(-$0)) }
        let decision = CacheDecision.decide(
            policy: row.policy, eligibility: row.eligibility, entry: entry, now: Self.now)
        #expect(decision == row.expected)
        if decision == .answer { #expect(CacheDecision.looksFirst(row.policy, row.eligibility)) }
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
