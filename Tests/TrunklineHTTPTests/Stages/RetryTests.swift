import Foundation
import Testing
import TrunklineTesting

@testable import TrunklineHTTP

@Suite struct RetryTests {
    private let url = URL(fileURLWithPath: "/")

    private func delay(
        _ method: HTTPMethod = .get, status: Int = 503, retryAfter: String? = nil, body: RequestBody? = nil,
        policy: RetryPolicy = RetryPolicy(limit: 2, baseDelay: .seconds(2)), retries: Int = 0, jitter: Double = 1
    ) -> Duration? {
        let request = HTTPRequest(method: method, url: url, body: body)
        let headers: HTTPHeaders = retryAfter.map { ["Retry-After": $0] } ?? [:]
        return RetryDecision.delay(
            after: .success(HTTPResponse(request: request, statusCode: status, headers: headers)), request: request,
            policy: policy, retries: retries, jitter: jitter, now: Self.now)
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

    @Test func `503, 503, 200 is three requests and one success`() async throws {
        let count = Collector<Int>()
        let transport = StubTransport {
            count.add(1)
            return .stub(for: $0, status: count.count < 3 ? 503 : 200)
        }
        let session = SessionManager(
            configuration: SessionConfiguration(retry: RetryPolicy(limit: 2, baseDelay: .zero)), transport: transport)
        let response = try await session.send("http://h/")
        #expect(response.statusCode == 200 && response.metrics?.retryCount == 2)
        #expect(transport.requests.count == 3)
    }

    /// Case A28.
    @Test func `a cancel during the wait completes at once and sends nothing more`() async {
        let transport = StubTransport { .stub(for: $0, status: 503, headers: ["Retry-After": "30"]) }
        let session = SessionManager(configuration: SessionConfiguration(retry: RetryPolicy()), transport: transport)
        let request = session.request("http://h/")
        #expect(await eventually { transport.requests.count == 1 })
        let start = ContinuousClock.now
        request.cancel()
        do throws(HTTPError) {
            _ = try await request.response()
            Issue.record("answered")
        } catch {
            guard case .cancelled = error else {
                Issue.record("\(error)")
                return
            }
        }
        // The wait would have been half a minute.
        #expect(ContinuousClock.now - start < .seconds(15))
        #expect(transport.requests.count == 1)
    }
}
