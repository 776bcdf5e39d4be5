import Foundation
import Testing

@testable import TrunklineHTTP

@Suite struct RetryDecisionTests {
    private let url = URL(fileURLWithPath: "/")

    private func delay(
        _ method: HTTPMethod = .get, status: Int = 503, retryAfter: String? = nil, body: RequestBody? = nil,
        key: String? = nil, policy: RetryPolicy = RetryPolicy(limit: 2, baseDelay: .seconds(2)), retries: Int = 0,
        elapsed: Duration = .zero, jitter: Double = 1
    ) -> Duration? {
        let headers: HTTPHeaders = key.map { ["Idempotency-Key": $0] } ?? [:]
        let request = HTTPRequest(method: method, url: url, headers: headers, body: body)
        let answer: HTTPHeaders = retryAfter.map { ["Retry-After": $0] } ?? [:]
        return RetryDecision.delay(
            after: .success(HTTPResponse(request: request, statusCode: status, headers: answer)), request: request,
            policy: policy, retries: retries, elapsed: elapsed, jitter: jitter, now: Self.now)
    }

    /// 2015-10-21T07:28:00Z
    private static let now = Date(timeIntervalSince1970: 1_445_412_480)

    /// Case A26: the wait is the larger of backoff and header, within the maximum.
    @Test(arguments: [
        ("30", 30), (" 30 ", 30), ("Wed, 21 Oct 2015 07:28:30 GMT", 30), ("Wednesday, 21-Oct-15 07:28:30 GMT", 30),
        ("Wed Oct 21 07:28:30 2015", 30), ("Wed, 21 Oct 2015 07:27:00 GMT", 2), ("0", 2), ("-5", 2), ("1.5", 2),
        ("soon", 2), ("", 2), ("3600", 60), ("99999999999999999999", 60),
    ])
    func `Retry-After is a floor under the backoff`(value: String, seconds: Int) {
        #expect(delay(retryAfter: value) == .seconds(seconds))
    }

    @Test func `the backoff doubles, is spread by the jitter and bounded`() {
        let policy = RetryPolicy(limit: 100, baseDelay: .seconds(1), maximumDelay: .seconds(60))
        #expect(delay(policy: policy, retries: 0) == .seconds(1))
        #expect(delay(policy: policy, retries: 3) == .seconds(8))
        #expect(delay(policy: policy, retries: 3, jitter: 0.5) == .seconds(4))
        #expect(delay(policy: policy, retries: 99) == .seconds(60))
    }

    @Test(arguments: [
        (HTTPMethod.get, 503, true), (.head, 503, true), (.put, 503, true), (.delete, 429, true), (.post, 503, false),
        (.patch, 503, false), (.get, 404, false), (.get, 200, false), (.get, 501, false), (.get, 408, true),
    ])
    func `only idempotent methods and passing failures`(method: HTTPMethod, status: Int, retried: Bool) {
        #expect((delay(method, status: status) != nil) == retried)
    }

    @Test func `a POST is retried where the policy allows it and the body can be sent again`() {
        let policy = RetryPolicy(limit: 1, allowsNonIdempotent: true)
        #expect(delay(.post, body: .data(Data()), policy: policy) != nil)
        #expect(delay(.post, body: .oneShot(RequestBody.Chunks { nil }), policy: policy) == nil)
    }

    @Test func `TLS, validation, cancellation and foreign errors are never retried`() {
        struct Foreign: Error {}
        let errors: [any Error] = [
            HTTPError.tls(TLSFailure(reason: .untrustedCertificate, detail: "")), HTTPError.cancelled,
            HTTPError.timedOut(.total), HTTPError.sessionInvalidated, CancellationError(), Foreign(),
        ]
        #expect(errors.allSatisfy { !RetryDecision.isRetryable($0) })
        #expect(RetryDecision.isRetryable(HTTPError.connectionLost(ConnectionLoss(stage: .duringBody, reason: ""))))
    }

    @Test func `an idempotency key makes a POST one that is retried`() {
        let policy = RetryPolicy(idempotencyKeyField: "idempotency-key")
        #expect(delay(.post, key: "k", policy: policy) != nil)
        #expect(delay(.post, policy: policy) == nil)
        #expect(delay(.post, key: "k") == nil)
        #expect(delay(.post, body: .oneShot(RequestBody.Chunks { nil }), key: "k", policy: policy) == nil)
    }

    @Test func `statuses are the policy's own`() {
        #expect(delay(status: 404, policy: RetryPolicy(statuses: [404])) != nil)
        #expect(delay(status: 503, policy: RetryPolicy(statuses: [404])) == nil)
        #expect(RetryPolicy.retryableStatuses == [408, 425, 429, 500, 502, 503, 504])
    }

    @Test func `a wait that ends past the deadline is not begun`() {
        let policy = RetryPolicy(baseDelay: .seconds(2), totalDeadline: .seconds(10))
        #expect(delay(policy: policy, elapsed: .seconds(8)) == .seconds(2))
        #expect(delay(policy: policy, elapsed: .seconds(8.001)) == nil)
        #expect(delay(policy: policy, elapsed: .seconds(8.001), jitter: 0) == .zero)
        #expect(delay(retryAfter: "11", policy: policy) == nil)
        #expect(delay(retryAfter: "10", policy: policy) == .seconds(10))
    }

    @Test(arguments: [Duration.seconds(-1), .zero, .seconds(Int64.max), .seconds(1 << 40)])
    func `no delay of a policy traps`(base: Duration) {
        for jitter in [0, 0.5, 1.0.nextDown] {
            let wait = delay(
                policy: RetryPolicy(limit: .max, baseDelay: base, maximumDelay: .seconds(1)), retries: 1 << 40,
                jitter: jitter)
            #expect(wait.map { $0 >= .zero && $0 <= .seconds(1) } == true)
        }
    }
}
