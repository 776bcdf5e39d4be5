import Foundation
import Testing
import TrunklineTesting

@testable import TrunklineHTTP

@Suite struct EventStreamTests {
    private static let type: HTTPHeaders = ["Content-Type": "text/event-stream; charset=utf-8"]

    /// A server that answers each connection with the next of these.
    private static func server(_ answers: [LoopbackResponse]) throws -> LoopbackServer {
        try LoopbackServer { server in
            server.fallback { request in
                let index = request.number - 1
                return index < answers.count ? answers[index] : .status(204)
            }
        }
    }

    private static func events(_ text: String) -> LoopbackResponse { .chunked([text], headers: type) }

    @Test(arguments: TransportKind.allCases)
    func `events arrive as they are sent`(kind: TransportKind) async throws {
        let gate = LoopbackGate()
        let server = try LoopbackServer { server in
            server.route(.get, "/") { _ in
                .pipe(status: 200, headers: Self.type) { pipe in
                    pipe.send("id: 1\ndata: one\n\n: keep alive\n\n")
                    try await gate.wait()
                    pipe.send("event: last\ndata: two\n\ndata: incomplete")
                }
            }
        }
        let session = kind.session()
        let stream = session.events(try server.request(), options: .once)
        var iterator = stream.makeAsyncIterator()
        #expect(try await iterator.next() == ServerSentEvent(id: "1", data: "one"))
        guard case .open = stream.state else {
            Issue.record("\(stream.state)")
            return
        }
        gate.open()
        #expect(try await iterator.next() == ServerSentEvent(id: "1", event: "last", data: "two"))
        #expect(try await iterator.next() == nil)
        #expect(server.requests.first?.headers["Accept"] == "text/event-stream")
        #expect(server.requests.first?.headers["Last-Event-ID"] == nil)
        #expect(await eventually { if case .closed = stream.state { true } else { false } })
    }

    @Test func `a connection that ends is made again after the wait, with the last event ID, until 204`() async throws {
        let server = try Self.server([
            Self.events("id: a\u{E9}\ndata: 1\n\n"), Self.events("retry: 50\ndata: 2\n\n"),
            Self.events("id\ndata: 3\n\n"),
        ])
        let session = SessionManager(transport: try CurlTransport())
        let clock = TestClock()
        let stream = session.events(try server.request(), options: EventStreamOptions(clock: clock))
        var events: [String] = []
        let mover = Task {
            await clock.waitForSleepers()
            clock.advance(by: .milliseconds(2999))
            #expect(clock.sleeperCount == 1)
            clock.advance(by: .milliseconds(1))
            for _ in 0..<2 {
                await clock.waitForSleepers()
                clock.advance(by: .milliseconds(50))
            }
        }
        for try await event in stream { events.append(event.data + event.id) }
        await mover.value
        #expect(events == ["1a\u{E9}", "2a\u{E9}", "3"])
        #expect(server.requests.map { $0.headers["Last-Event-ID"] } == [nil, "a\u{E9}", "a\u{E9}", nil])
        #expect(stream.lastEventID.isEmpty)
    }

    @Test func `waits double with failures in a row up to the longest, and an answer starts anew`() async throws {
        let attempts = Protected(0)
        let transport = StubTransport { exchange in
            let attempt = attempts.withLock { count in
                count += 1
                return count
            }
            #expect(exchange.attempt == attempt)
            switch attempt {
            case 1...4: throw HTTPError.connectionFailed(reason: "refused")
            case 5: return .stub(for: exchange, headers: Self.type, data: Data("data: x\n\n".utf8))
            case 6: throw HTTPError.offline
            default: return .stub(for: exchange, status: 204)
            }
        }
        let clock = TestClock()
        let session = SessionManager(transport: transport)
        let waits = Collector<Duration>()
        let options = EventStreamOptions(
            reconnectionTime: .seconds(1), maximumReconnectionTime: .seconds(5), clock: clock)
        let stream = session.events("http://h/", options: options)
        let reader = Task {
            var events: [String] = []
            for try await event in stream { events.append(event.data) }
            return events
        }
        for _ in 0..<6 {
            await clock.waitForSleepers()
            guard case .waiting(let wait, _) = stream.state else {
                Issue.record("\(stream.state)")
                break
            }
            waits.add(wait)
            clock.advance(by: wait)
        }
        #expect(try await reader.value == ["x"])
        #expect(waits.all == [.seconds(1), .seconds(2), .seconds(4), .seconds(5), .seconds(1), .seconds(1)])
    }

    @Test(arguments: [
        (LoopbackResponse.text("no", status: 404), "404"), (.text("data: 1\n\n"), "type"),
        (.status(503), "503"), (.status(200), "none"),
    ])
    func `any other answer is final`(answer: LoopbackResponse, expected: String) async throws {
        let server = try LoopbackServer { $0.fallback(respond: answer) }
        let session = SessionManager(transport: try CurlTransport())
        let stream = session.events(try server.request())
        let error = await #expect(throws: HTTPError.self) {
            for try await _ in stream {}
        }
        guard case .validation(let failure) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        switch failure.reason {
        case .unacceptableStatus(let status): #expect(expected == "\(status)")
        case .unacceptableContentType: #expect(expected == "type")
        case .missingContentType: #expect(expected == "none")
        case .custom: Issue.record("\(failure)")
        }
        if expected == "404" { #expect(failure.response.data == Data("no".utf8)) }
        #expect(server.requests.count == 1)
    }

    @Test func `a refusal that says when to come again is tried then`() async throws {
        let server = try Self.server([
            .status(503, headers: ["Retry-After": "20"]), .status(429, headers: ["Retry-After": "1000"]),
            Self.events("data: 1\n\n"),
        ])
        let session = SessionManager(transport: try CurlTransport())
        let clock = TestClock()
        let stream = session.events(try server.request(), options: EventStreamOptions(clock: clock))
        let mover = Task {
            var waits: [Duration] = []
            for _ in 0..<2 {
                await clock.waitForSleepers()
                if case .waiting(let wait, after: .validation) = stream.state { waits.append(wait) }
                clock.advance(by: .seconds(60))
            }
            return waits
        }
        var iterator: EventStream.Iterator? = stream.makeAsyncIterator()
        #expect(try await iterator?.next()?.data == "1")
        #expect(await mover.value == [.seconds(20), .seconds(60)])
        iterator = nil
    }

    @Test func `so many failures in a row are the end`() async throws {
        let session = SessionManager(transport: StubTransport { _ in throw HTTPError.nameResolution(host: "h") })
        let options = EventStreamOptions(reconnectionTime: .milliseconds(1), maximumFailures: 3)
        let stream = session.events("http://h/", options: options)
        let error = await #expect(throws: HTTPError.self) {
            for try await _ in stream {}
        }
        #expect(ErrorKind(error) == .nameResolution)
    }

    @Test func `a POST is sent once, its tokens are decoded up to the sentinel, and the connection is closed`()
        async throws
    {
        struct Token: Decodable, Sendable {
            var text: String
        }
        let closed = Collector<Bool>()
        let server = try LoopbackServer { server in
            server.route(.post, "/") { request in
                #expect(request.text == #"{"prompt":"Hi"}"#)
                return .pipe(status: 200, headers: Self.type) { pipe in
                    pipe.send("data: {\"text\":\"Hel\"}\n\ndata: {\"text\":\"lo\"}\n\ndata: [DONE]\n\n")
                    while await pipe.receive() != nil {}
                    closed.add(true)
                }
            }
        }
        let session = SessionManager(transport: try CurlTransport())
        var text = ""
        let request = Endpoint(.post, server.baseURL.absoluteString, parameters: ["prompt": "Hi"], encoding: .json)
        for try await token in session.events(request).values(of: Token.self, until: "[DONE]") { text += token.text }
        #expect(text == "Hello")
        #expect(await eventually { closed.count == 1 })
        #expect(server.requests.count == 1)
    }

    @Test func `silence beyond the limit is a lost connection`() async throws {
        let server = try LoopbackServer { server in
            server.route(.get, "/") { request in
                if request.number > 1 { return .status(204) }
                return .pipe(status: 200, headers: Self.type) { pipe in
                    pipe.send("data: 1\n\n")
                    while await pipe.receive() != nil {}
                }
            }
        }
        let session = SessionManager(transport: try CurlTransport())
        let options = EventStreamOptions(reconnectionTime: .zero, idleLimit: .milliseconds(200))
        let states = Collector<EventStreamState>()
        let stream = session.events(try server.request(), options: options)
            .onStateChange(on: DispatchQueue(label: "test.states")) { states.add($0) }
        var events: [String] = []
        for try await event in stream { events.append(event.data) }
        #expect(events == ["1"])
        #expect(
            await eventually { if case .closed? = states.all.last { true } else { false } })
        let lost = states.all.contains { if case .waiting(_, after: .timedOut(.idle)) = $0 { true } else { false } }
        #expect(lost)
    }

    @Test(arguments: [true, false])
    func `a cancel or the session's end also ends the wait`(cancels: Bool) async throws {
        var session: SessionManager? = SessionManager(
            transport: StubTransport { _ in throw HTTPError.connectionFailed(reason: "refused") })
        let clock = TestClock()
        let stream = try #require(session?.events("http://h/", options: EventStreamOptions(clock: clock)))
        let reader = Task {
            for try await _ in stream {}
        }
        await clock.waitForSleepers()
        if cancels { stream.cancel() } else { session = nil }
        let error = await #expect(throws: HTTPError.self) { try await reader.value }
        #expect(ErrorKind(error) == (cancels ? .cancelled : .sessionInvalidated))
        #expect(await eventually { clock.sleeperCount == 0 })
        withExtendedLifetime(session) {}
    }

    @Test func `handlers hear the events in order and one end`() async throws {
        let server = try LoopbackServer { $0.fallback(respond: Self.events("data: 1\n\ndata: 2\n\ndata: 3\n\n")) }
        let session = SessionManager(transport: try CurlTransport())
        let queue = DispatchQueue(label: "test.events")
        let heard = Collector<String>()
        session.events(try server.request(), options: .once).onEvent(on: queue) {
            heard.add($0.data)
        } completion: {
            if case .success = $0 { heard.add("end") }
        }
        #expect(await eventually { heard.count == 4 })
        #expect(heard.all == ["1", "2", "3", "end"])
        // A cancel on the queue drops the events that had come with the first.
        let stream = session.events(try server.request(), options: .once)
        let few = Collector<String>()
        stream.onEvent(on: queue) {
            few.add($0.data)
            stream.cancel()
        } completion: {
            if case .failure(.cancelled) = $0 { few.add("cancelled") }
        }
        #expect(await eventually { few.count == 2 })
        #expect(few.all == ["1", "cancelled"])
    }
}
