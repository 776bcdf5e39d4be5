import Foundation
import Testing

@testable import Trunkline

@Suite struct OutboxDecisionTests {
    private static func answer(_ status: Int, _ headers: HTTPHeaders = [:]) -> HTTPResponse {
        HTTPResponse(
            request: HTTPRequest(url: URL(fileURLWithPath: "/")), statusCode: status, headers: headers)
    }

    private func decide(
        _ outcome: Result<HTTPResponse, OutboxFailure>, attempts: Int = 1, failures: Int = 0, jitter: Double = 1,
        _ configuration: OutboxConfiguration = OutboxConfiguration()
    ) -> OutboxDecision {
        OutboxDecision.after(
            outcome, attempts: attempts, failures: failures, jitter: jitter, now: Date(timeIntervalSince1970: 0),
            configuration)
    }

    @Test(arguments: [
        (200, OutboxDecision.done), (201, .done), (204, .done), (299, .done), (400, .drop), (404, .drop), (409, .drop),
        (410, .drop), (422, .drop), (304, .drop), (401, .park), (407, .park), (408, .again(after: .seconds(1))),
        (425, .again(after: .seconds(1))), (429, .again(after: .seconds(1))), (500, .again(after: .seconds(1))),
        (501, .again(after: .seconds(1))), (503, .again(after: .seconds(1))),
    ])
    func `Each status has its meaning, whether the session refuses it or not`(status: Int, decision: OutboxDecision) {
        #expect(decide(.success(Self.answer(status))) == decision)
        guard status >= 300 else { return }
        let refused = ValidationFailure(reason: .unacceptableStatus(status), response: Self.answer(status))
        #expect(decide(.failure(.error(.validation(refused)))) == decision)
    }

    @Test func `The policy says what becomes of what was refused for good`() {
        let parks = OutboxConfiguration(refusal: .park)
        #expect(decide(.success(Self.answer(404)), parks) == .park)
        #expect(decide(.success(Self.answer(503)), parks) == .again(after: .seconds(1)))
    }

    @Test func `A success whose content the session refused is not sent again`() {
        let refused = ValidationFailure(reason: .custom("code 7"), response: Self.answer(200))
        #expect(decide(.failure(.error(.validation(refused)))) == .drop)
    }

    @Test(arguments: [
        (HTTPError.offline, true, true), (.nameResolution(host: "h"), true, true),
        (.connectionFailed(reason: ""), true, true), (.timedOut(.idle), true, false), (.cancelled, true, false),
        (.connectionLost(ConnectionLoss(stage: .beforeResponse, reason: "")), true, false),
        (.sessionInvalidated, true, true), (.custom(Broken()), true, false),
        (.invalidRequest(.method("")), false, false), (.unsupported(feature: "", platform: ""), false, false),
        (.bodyNotReplayable(reason: ""), false, false),
    ])
    func `Each failure has its meaning`(error: HTTPError, again: Bool, reachedNobody: Bool) {
        #expect(decide(.failure(.error(error))) == (again ? .again(after: .seconds(1)) : .park))
        #expect(OutboxDecision.reachedNobody(.error(error)) == reachedNobody)
    }

    @Test(arguments: [
        (AuthenticationFailure.Reason.noCredential, true), (.loggedOut, true), (.refreshRefused, true),
        (.refreshFailed, false), (.tooManyRefreshes, false),
    ])
    func `Without a credential the lane waits for a log-in, unless it is only not there now`(
        reason: AuthenticationFailure.Reason, parks: Bool
    ) {
        let failure = OutboxFailure.error(
            .authentication(AuthenticationFailure(reason: reason, response: Self.answer(401))))
        #expect(decide(.failure(failure)) == (parks ? .park : .again(after: .seconds(1))))
        #expect(OutboxDecision.reachedNobody(failure))
    }

    @Test func `An open circuit or a spent rate says how long to wait`() {
        let open = OutboxFailure.error(.circuitOpen(host: "h", retryAfter: .seconds(30)))
        let spent = OutboxFailure.error(.rateLimited(host: "h", wait: .milliseconds(10)))
        #expect(decide(.failure(open)) == .again(after: .seconds(30)) && OutboxDecision.reachedNobody(open))
        #expect(decide(.failure(spent)) == .again(after: .seconds(1)) && OutboxDecision.reachedNobody(spent))
    }

    @Test(arguments: [
        (0, 1.0, 1.0), (1, 1.0, 2.0), (3, 1.0, 8.0), (0, 0.0, 0.5), (2, 0.5, 3.0), (20, 1.0, 300.0),
        (.max, 1.0, 300.0), (-1, 1.0, 1.0),
    ])
    func `The wait doubles up to a limit, half of it by chance`(failures: Int, jitter: Double, seconds: Double) {
        #expect(
            decide(.success(Self.answer(500)), failures: failures, jitter: jitter) == .again(after: .seconds(seconds)))
    }

    @Test(arguments: [
        ("120", 120.0), ("0", 1.0), ("", 1.0), ("soon", 1.0), ("-5", 1.0), ("99999999999999999999999", 86_400.0),
        ("Thu, 01 Jan 1970 00:02:00 GMT", 120.0), ("Wed, 31 Dec 1969 00:00:00 GMT", 1.0),
    ])
    func `Retry-After is a floor of at most a day`(field: String, seconds: Double) {
        #expect(
            decide(.success(Self.answer(503, ["Retry-After": field]))) == .again(after: .seconds(seconds)))
    }

    @Test func `The limits end an entry`() {
        let limits = OutboxConfiguration(maximumAge: .seconds(60), maximumAttempts: 3)
        #expect(decide(.success(Self.answer(500)), attempts: 2, limits) == .again(after: .seconds(1)))
        #expect(decide(.success(Self.answer(500)), attempts: 3, limits) == .expire(.attempts))
        #expect(decide(.success(Self.answer(200)), attempts: 3, limits) == .done)
        let created = Date(timeIntervalSince1970: 1000)
        #expect(!OutboxDecision.isTooOld(created: created, now: created + 60, limits))
        #expect(OutboxDecision.isTooOld(created: created, now: created + 61, limits))
        #expect(!OutboxDecision.isTooOld(created: created, now: created - 1_000_000, limits))
        #expect(!OutboxDecision.isTooOld(created: created, now: .distantFuture, OutboxConfiguration(maximumAge: nil)))
    }

    @Test func `A lane works on its head alone, and rests while it is parked or the outbox is held`() throws {
        var queue = OutboxQueue()
        for (sequence, lane) in [(1, "a"), (2, "b"), (3, "a")] {
            let record = OutboxRecord(
                sequence: UInt64(sequence), id: UUID(), lane: lane, method: "POST", url: "http://h/", service: nil,
                fields: [], key: "k", created: 0)
            queue.add(OutboxQueue.Item(record: record, entry: record.entry(attempts: 0)))
        }
        let settings = OutboxConfiguration(maximumAge: nil)
        #expect(queue.takeIdleLanes() == [])
        queue.isStarted = true
        #expect(queue.takeIdleLanes() == ["a", "b"])
        #expect(queue.takeIdleLanes() == [])
        guard case .send(var head) = queue.next("a", now: Date(), settings) else {
            Issue.record("no step")
            return
        }
        #expect(head.record.sequence == 1 && head.entry.attempts == 1 && head.entry.state == .sending)
        let wait = OutboxQueue.Wait(duration: .seconds(5), endsWithNetwork: true)
        queue.delay("a", by: wait)
        guard case .wait(wait) = queue.next("a", now: Date(), settings) else {
            Issue.record("no wait")
            return
        }
        head.entry.state = .parked
        queue.update(head)
        #expect(isIdle(queue.next("a", now: Date(), settings)) && queue.takeIdleLanes() == [])
        queue.isPaused = true
        #expect(isIdle(queue.next("b", now: Date(), settings)))
        queue.unpark("b")
        queue.isPaused = false
        #expect(queue.takeIdleLanes() == ["b"])
        queue.unpark(nil)
        #expect(queue.takeIdleLanes() == ["a"])
        #expect(queue.items.map(\.record.sequence) == [1, 2, 3])
        // An attempt was counted and never concluded: the process was killed in it.
        guard
            case .expire(_, .attempts) = queue.next(
                "a", now: Date(), OutboxConfiguration(maximumAge: nil, maximumAttempts: 1))
        else {
            Issue.record("sent once too often")
            return
        }
    }

    private func isIdle(_ step: OutboxQueue.Step?) -> Bool { if case nil = step { true } else { false } }
}
