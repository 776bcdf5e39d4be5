import Foundation
import Testing
import TrunklineHTTP

@testable import TrunklineInspector

@Suite("Inspector: what is shown")
struct ExchangeViewTests {
    private func record(_ maker: EventMaker, _ events: [(Event.Kind, Int)]) throws -> ExchangeRecord {
        let store = ExchangeStore.make()
        for (kind, time) in events { store.receive(maker.event(kind, at: time)) }
        return try #require(store.record(maker.id.value))
    }

    private func attempt(_ maker: EventMaker, _ number: Int = 1) -> Event.Attempt {
        Event.Attempt(number: number, attempt: number, request: maker.request, trace: nil)
    }

    private func end(_ response: HTTPResponse) -> Event.AttemptEnd {
        Event.AttemptEnd(outcome: .success(response), contentBytes: 0, isContentWhole: true)
    }

    @Test("Phases follow each other, within the attempt, whatever a transport measured")
    func phases() throws {
        let maker = try EventMaker()
        var metrics = TransportMetrics()
        metrics.nameLookup = .milliseconds(5)
        metrics.connect = .milliseconds(12)
        metrics.secureConnect = .milliseconds(30)
        metrics.firstByte = .milliseconds(80)
        metrics.total = .milliseconds(95)
        let record = try record(
            maker,
            [
                (.created(maker.request), 0), (.waitStarted(.queue), 0), (.waitEnded(.queue, nil), 10),
                (.attemptStarted(attempt(maker)), 10), (.attemptEnded(attempt(maker), end(maker.response(503))), 40),
                (.retryScheduled(Event.Retry(reason: .status(503), delay: .milliseconds(50), attempt: 2)), 40),
                (.attemptStarted(attempt(maker, 2)), 90),
                (.attemptEnded(attempt(maker, 2), end(maker.response(metrics: metrics))), 190),
                (.completed(.success(maker.response())), 191),
            ])
        let expected: [(Phase.Kind, Double, Double)] = [
            (.blocked, 0, 10), (.wait, 10, 40), (.blocked, 40, 90), (.dns, 90, 95), (.connect, 95, 102),
            (.tls, 102, 120), (.wait, 120, 170), (.receive, 170, 190),
        ]
        #expect(Phase.all(of: record) == expected.map { Phase(kind: $0.0, from: $0.1, to: $0.2) })

        // Figures that contradict each other and the attempt's own end.
        metrics.connect = .milliseconds(500)
        metrics.secureConnect = .milliseconds(3)
        let odd = try self.record(
            maker,
            [
                (.created(maker.request), 0), (.attemptStarted(attempt(maker)), 0),
                (.attemptEnded(attempt(maker), end(maker.response(metrics: metrics))), 100),
            ])
        let phases = Phase.all(of: odd)
        #expect(phases.allSatisfy { $0.from <= $0.to && $0.from >= 0 && $0.to <= 100 })
        #expect(zip(phases, phases.dropFirst()).allSatisfy { $0.to <= $1.from })
        // A connection that was there already took no time.
        metrics.isReusedConnection = true
        let reused = try self.record(
            maker,
            [
                (.created(maker.request), 0), (.attemptStarted(attempt(maker)), 0),
                (.attemptEnded(attempt(maker), end(maker.response(metrics: metrics))), 100),
            ])
        #expect(Phase.all(of: reused).map(\.kind) == [.wait, .receive])
    }

    @Test(
        "The parts of a URL, good or not",
        arguments: [
            ("https://a.example:8443/b/c?d=e#f", "https", "a.example:8443", "/b/c?d=e#f"),
            ("http://a", "http", "a", ""), ("https://a?b=c", "https", "a", "?b=c"), ("", "", "", ""),
            ("not a url", "", "", "not a url"), ("http://[::1]:80/x", "http", "[::1]:80", "/x"), ("://", "", "", ""),
        ])
    func split(url: String, scheme: String, host: String, path: String) {
        let parts = ExchangeSummary.split(url)
        #expect(parts.scheme == scheme && parts.host == host && parts.path == path)
    }

    @Test("States, decisions in words, an answer from the cache")
    func decisions() throws {
        let maker = try EventMaker("https://user:pw@example.com/a?token=secret-1")
        let renderer = ExchangeRenderer(redaction: .standard, epoch: .now, maximumBodyBytes: 1000)
        var cached = maker.response(body: Data("stored".utf8))
        cached.source = .cache(age: .seconds(9))
        let hit = try record(
            maker,
            [
                (.created(maker.request), 0), (.cache(.hit(age: .seconds(9))), 1),
                (.exchangeEnded(.success(cached)), 2),
                (.completed(.success(cached)), 2),
            ])
        let details = renderer.details(hit)
        #expect(details.summary.cache == "hit" && details.summary.size == 6 && details.answerSource == "cache")
        #expect(details.summary.phases == [Phase(kind: .local, from: 0, to: 2)])
        #expect(details.answer?.content.text == "stored" && details.attempts.isEmpty)
        #expect(details.timeline.map(\.text).contains("Cache: hit, 9 s old"))
        #expect(details.curl?.contains("curl") == true)
        #expect(!"\(details)".contains("secret-1") && !"\(details)".contains("pw@"))
        #expect(renderer.har([hit]).log.entries.map(\.fromCache) == ["memory"])

        for (outcome, state): (Event.Outcome, ExchangeSummary.State) in [
            (.success(maker.response()), .done), (.failure(.cancelled), .cancelled), (.failure(.offline), .failed),
        ] {
            let record = try record(maker, [(.created(maker.request), 0), (.completed(outcome), 5)])
            #expect(renderer.summary(record).state == state && renderer.summary(record).duration == 5)
        }
        let refused = try record(maker, [(.created(nil), 0), (.completed(.failure(.offline)), 0)])
        #expect(renderer.details(refused).request == nil && renderer.summary(refused).method.isEmpty)
        #expect(renderer.har([refused]).log.entries.isEmpty)
    }
}
