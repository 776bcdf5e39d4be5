import Foundation
import Testing
import TrunklineTesting

@testable import TrunklineHTTP

@Suite("Events, in order")
struct EventOrderTests {
    private func session(
        _ log: EventLog, _ change: (inout SessionConfiguration) -> Void = { _ in },
        answer: @escaping StubTransport.Answer = { .stub(for: $0, status: 200) }
    ) -> SessionManager {
        var configuration = SessionConfiguration()
        configuration.eventMonitors = [log]
        change(&configuration)
        return SessionManager(configuration: configuration, transport: StubTransport(answer))
    }

    @Test("A plain request", arguments: TransportKind.allCases)
    func plain(kind: TransportKind) async throws {
        let server = try LoopbackServer { $0.fallback(respond: .text("ok")) }
        let log = EventLog()
        let session = kind.session(SessionConfiguration(eventMonitors: [log]))
        let request = session.request("\(server.baseURL)/")
        _ = try await request.response()
        let hasMetrics = kind.make().capabilities.features.contains(.metrics)
        #expect(
            log.names(of: request.id) == [
                "created", "exchangeStarted", "attemptStarted", "responseHead",
            ] + (hasMetrics ? ["metrics"] : []) + ["attemptEnded", "exchangeEnded", "completed"])
        #expect(log.all.mistakes.isEmpty, "\(log.all.mistakes)")
        guard case .attemptEnded(let attempt, let end)? = log.all.first(where: { $0.kind.name == "attemptEnded" })?.kind
        else { return }
        #expect(attempt.number == 1 && attempt.attempt == 1 && end.contentBytes == 2 && end.isContentWhole)
    }

    @Test("Nobody listens: no stage, nothing on the exchange")
    func nobody() async throws {
        let transport = StubTransport { exchange in
            #expect(exchange.events == nil)
            return .stub(for: exchange, status: 200)
        }
        _ = try await SessionManager(transport: transport).send("http://h/")
        #expect(transport.requests.count == 1)
    }

    @Test("A request that can't be made, one cancelled before it was sent, one of a session that is over")
    func refused() async throws {
        let log = EventLog()
        let session = session(log) { $0.startsRequestsImmediately = false }
        let broken = session.request("no url at all").resume()
        _ = try? await broken.response()
        #expect(log.names(of: broken.id) == ["created", "completed"])
        if case .created(let request)? = log.of(broken.id).first?.kind { #expect(request == nil) }

        let cancelled = session.request("http://h/")
        cancelled.cancel()
        #expect(log.names(of: cancelled.id) == ["created", "completed"])

        session.invalidate()
        let late = session.request("http://h/")
        #expect(log.names(of: late.id) == ["created", "completed"])
        guard case .completed(.failure(.sessionInvalidated))? = log.of(late.id).last?.kind else {
            Issue.record("\(log.names(of: late.id))")
            return
        }
    }

    @Test("A redirect and a retry are attempts of their own")
    func redirectAndRetry() async throws {
        let log = EventLog()
        let session = session(log) {
            $0.retry = RetryPolicy(limit: 1, baseDelay: .zero)
        } answer: { exchange in
            if exchange.request.url.path == "/a" {
                return HTTPResponse(request: exchange.request, statusCode: 302, headers: ["Location": "/b"])
            }
            return HTTPResponse(request: exchange.request, statusCode: exchange.attempt == 1 ? 503 : 200)
        }
        _ = try await session.send("http://h/a")
        #expect(log.all.mistakes.isEmpty, "\(log.all.mistakes)")
        let attempts = log.all.compactMap { event -> String? in
            switch event.kind {
            case .attemptStarted(let attempt): "\(attempt.number).\(attempt.attempt)\(attempt.request.url.path)"
            case .redirected(let redirect): "to \(redirect.request.url.path)"
            case .retryScheduled(let retry):
                if case .status(let status) = retry.reason { "again \(retry.attempt) for \(status)" } else { nil }
            default: nil
            }
        }
        #expect(attempts == ["1.1/a", "to /b", "2.1/b", "again 2 for 503", "3.2/a", "to /b", "4.2/b"])
    }

    @Test("Stages and bytes come only where a monitor asks for them")
    func details() async throws {
        let server = try LoopbackServer { $0.fallback(respond: .text(String(repeating: "x", count: 100_000))) }
        let (quiet, curious) = (EventLog(), EventLog([.stages, .bytes]))
        _ = try await SessionManager(configuration: SessionConfiguration(eventMonitors: [quiet])).send(
            "\(server.baseURL)/")
        #expect(!quiet.names.contains { ["stageEntered", "stageLeft", "bytes"].contains($0) })
        _ = try await SessionManager(configuration: SessionConfiguration(eventMonitors: [curious])).send(
            "\(server.baseURL)/")
        let stages = curious.all.compactMap { if case .stageEntered(let name) = $0.kind { name } else { nil } }
        #expect(Array(stages.prefix(1)) == ["Events"] && stages.contains("Retry") && stages.contains("Redirect"))
        #expect(curious.all.mistakes.isEmpty, "\(curious.all.mistakes)")
        let bytes = curious.all.compactMap { event -> Int64? in
            if case .bytes(_, .received, let progress) = event.kind { progress.completed } else { nil }
        }
        #expect(bytes.last == 100_000)
    }

    @Test("Several monitors hear the same; one that cancels from inside does no harm")
    func reentrant() async throws {
        final class Canceller: EventMonitor {
            let request = Protected<DataRequest?>(nil)
            func receive(_ event: Event) {
                if case .attemptStarted = event.kind { request.current?.cancel() }
            }
        }
        let (first, canceller, last) = (EventLog(), Canceller(), EventLog())
        let session = SessionManager(
            configuration: SessionConfiguration(
                startsRequestsImmediately: false, eventMonitors: [first, canceller, last]),
            transport: StubTransport { .stub(for: $0, status: 200) })
        let request = session.request("http://h/")
        canceller.request.withLock { $0 = request }
        request.resume()
        guard
            case .failure(.cancelled) = await Result(catching: { () async throws(HTTPError) in
                try await request.response()
            })
        else {
            Issue.record("not cancelled")
            return
        }
        #expect(await eventually { last.names.last == "completed" })
        #expect(first.names == last.names)
        #expect(first.all.mistakes.isEmpty, "\(first.all.mistakes)")
    }
}

extension Result {
    /// The outcome of work that waits.
    init(catching work: () async throws(Failure) -> Success) async {
        do {
            self = .success(try await work())
        } catch {
            self = .failure(error)
        }
    }
}
