import Foundation
import Testing
import TrunklineTesting

@testable import TrunklineHTTP

@Suite("Events of every kind of request")
struct EventKindTests {
    private func configuration(_ log: EventLog, _ change: (inout SessionConfiguration) -> Void = { _ in })
        -> SessionConfiguration
    {
        var configuration = SessionConfiguration(eventMonitors: [log])
        change(&configuration)
        return configuration
    }

    @Test(
        "A stream completes when its content ends; one that is dropped, with a cancel",
        arguments: TransportKind.allCases)
    func streams(kind: TransportKind) async throws {
        let gate = LoopbackGate()
        let server = try LoopbackServer {
            $0.route(.get, "/whole", respond: .chunked(["one", "two"]))
            $0.route(.get, "/held") { _ in
                .pipe { pipe in
                    pipe.send("head")
                    try await gate.wait()
                }
            }
        }
        defer { gate.open() }
        let log = EventLog(.content)
        let session = kind.session(configuration(log))
        let whole = session.stream("\(server.baseURL)/whole")
        _ = try await whole.head()
        #expect(!log.names(of: whole.id).contains("completed"))
        for try await _ in whole.chunks {}
        #expect(await eventually { log.names(of: whole.id).last == "completed" })
        #expect(log.of(whole.id).mistakes.isEmpty, "\(log.of(whole.id).mistakes)")
        guard
            case .attemptEnded(_, let end)? = log.of(whole.id).first(where: { $0.kind.name == "attemptEnded" })?.kind,
            case .success(let response) = end.outcome
        else {
            Issue.record("\(log.names(of: whole.id))")
            return
        }
        #expect(String(decoding: response.data, as: UTF8.self) == "onetwo" && end.contentBytes == 6)

        let held = session.stream("\(server.baseURL)/held")
        _ = try await held.head()
        held.cancel()
        #expect(await eventually { log.names(of: held.id).last == "completed" })
        #expect(log.of(held.id).mistakes.isEmpty, "\(log.of(held.id).mistakes)")
    }

    @Test("A streamed answer's last metrics have the whole time")
    func streamMetrics() async throws {
        let server = try LoopbackServer { $0.fallback(respond: .generated(count: 300_000)) }
        let log = EventLog()
        let transport = try CurlTransport()
        let session = SessionManager(configuration: configuration(log), transport: transport)
        for try await _ in session.stream("\(server.baseURL)/").chunks {}
        #expect(await eventually { log.names.last == "completed" })
        let metrics = log.all.compactMap { if case .metrics(_, let metrics) = $0.kind { metrics } else { nil } }
        #expect(metrics.first?.bytesReceived == 300_000 && metrics.first?.total != nil)
    }

    @Test("Downloads and uploads", arguments: TransportKind.allCases)
    func transfers(kind: TransportKind) async throws {
        let server = try LoopbackServer { $0.fallback(respond: .text("content")) }
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: directory) }
        let log = EventLog()
        let session = kind.session(configuration(log) { $0.transferDirectory = directory })
        let download = session.download(
            "\(server.baseURL)/file", to: .file(directory.appendingPathComponent("f")))
        _ = try await download.file()
        let upload = session.upload(.data(Data("hello".utf8), contentType: "text/plain"), to: "\(server.baseURL)/up")
        _ = try await upload.response()
        for id in [download.id, upload.id] {
            #expect(await eventually { log.names(of: id).last == "completed" })
            #expect(log.of(id).mistakes.isEmpty, "\(log.of(id).mistakes)")
            #expect(log.names(of: id).contains("attemptEnded"))
        }
        let sent = log.of(upload.id).compactMap { event -> Data? in
            if case .attemptStarted(let attempt) = event.kind { attempt.request.body?.data } else { nil }
        }
        #expect(sent == [Data("hello".utf8)])
    }

    @Test(
        "A WebSocket completes when it is closed",
        .enabled(if: DefaultTransport.make().capabilities.features.contains(.webSockets)))
    func webSocket() async throws {
        let server = try LoopbackServer()
        server.webSocket("/echo") { socket in
            while let message = try await socket.receive() { socket.send(message) }
        }
        let log = EventLog()
        let session = SessionManager(configuration: configuration(log))
        let socket = session.webSocket("\(server.baseURL)/echo")
        try await socket.send(.text("hi"))
        var messages = socket.messages.makeAsyncIterator()
        #expect(try await messages.next() == .text("hi"))
        #expect(!log.names.contains("completed") && log.names.contains("responseHead"))
        try socket.close()
        _ = try await socket.closed()
        #expect(await eventually { log.names.last == "completed" })
        #expect(log.all.mistakes.isEmpty, "\(log.all.mistakes)")
    }

    @Test("A place in the queue, a turn, and the network are waited for")
    func waits() async throws {
        let log = EventLog()
        let gate = Gate()
        let network = StubReachability(NetworkPath(status: .unsatisfied))
        let session = SessionManager(
            configuration: configuration(log) {
                $0.limits = RequestLimits(maximumInAll: 1)
                $0.rateLimit = RateLimit(1, per: .milliseconds(20))
                $0.connectivity = .wait(atMost: .seconds(60))
                $0.reachability = network
            },
            transport: StubTransport { exchange in
                await gate.wait()
                return .stub(for: exchange, status: 200)
            })
        let first = session.request("http://example.test/1")
        #expect(await eventually { log.names(of: first.id).last == "waitStarted" })
        network.path = NetworkPath(status: .satisfied)
        #expect(await eventually { log.names(of: first.id).contains("attemptStarted") })
        let second = session.request("http://example.test/2")
        #expect(await eventually { log.names(of: second.id).last == "waitStarted" })
        gate.open()
        _ = try await first.response()
        _ = try await second.response()
        func reasons(_ id: RequestID) -> [Event.WaitReason] {
            log.of(id).compactMap { if case .waitEnded(let reason, nil) = $0.kind { reason } else { nil } }
        }
        #expect(reasons(first.id) == [.connectivity])
        #expect(reasons(second.id).first == .queue)
        #expect(log.of(second.id).mistakes.isEmpty, "\(log.of(second.id).mistakes)")
    }

    @Test("A refresh is told by all who wait for it, and its own request has events of its own")
    func refresh() async throws {
        struct Tokens: Authenticator {
            func apply(_ token: String, to request: inout HTTPRequest) { request.headers.set(.bearer(token)) }
            func refresh(
                _ token: String, after rejection: HTTPResponse?, using sender: AuthenticationSender
            ) async throws -> String {
                String(decoding: try await sender.send("http://h/token").data, as: UTF8.self)
            }
        }
        let log = EventLog()
        let session = SessionManager(
            configuration: configuration(log) {
                $0.authentication = RefreshingAuthentication(Tokens(), credential: "old", origins: ["http://h"])
            },
            transport: StubTransport { exchange in
                let request = exchange.request
                if request.url.path == "/token" {
                    return HTTPResponse(request: request, statusCode: 200, body: .data(Data("new".utf8)))
                }
                let isNew = request.headers["Authorization"] == "Bearer new"
                return HTTPResponse(request: request, statusCode: isNew ? 200 : 401)
            })
        let request = session.request("http://h/me")
        _ = try await request.response()
        #expect(
            log.names(of: request.id) == [
                "created", "exchangeStarted", "attemptStarted", "responseHead", "attemptEnded", "refreshStarted",
                "refreshEnded", "retryScheduled", "attemptStarted", "responseHead", "attemptEnded", "exchangeEnded",
                "completed",
            ])
        let other = try #require(log.ids.first { $0 != request.id })
        #expect(log.of(other).mistakes.isEmpty && log.names(of: other).contains("attemptEnded"))
    }

    @Test("What the cache decides, and what a coalesced request joined")
    func cacheAndCoalescing() async throws {
        let log = EventLog()
        let gate = Gate()
        var options = RequestOptions()
        options.cache = .cacheFirst(maxAge: .seconds(60))
        let session = SessionManager(
            configuration: configuration(log) { $0.coalescesRequests = true },
            transport: StubTransport { exchange in
                if exchange.request.url.path == "/shared" { await gate.wait() }
                return HTTPResponse(request: exchange.request, statusCode: 200, body: .data(Data("x".utf8)))
            }, cache: ResponseCache())
        let url = try #require(URL(string: "http://h/cached"))
        _ = try await session.send(HTTPRequest(url: url, options: options))
        let hit = session.request(HTTPRequest(url: url, options: options))
        _ = try await hit.response()
        let decisions = log.all.compactMap { if case .cache(let event) = $0.kind { event.name } else { nil } }
        #expect(decisions.first == "miss" && decisions.last == "hit")
        #expect(!log.names(of: hit.id).contains("attemptStarted"))

        let first = session.request("http://h/shared")
        #expect(await eventually { log.names(of: first.id).contains("attemptStarted") })
        let second = session.request("http://h/shared")
        #expect(await eventually { log.names(of: second.id).contains("coalesced") })
        gate.open()
        _ = try await second.response()
        #expect(log.of(second.id).mistakes.isEmpty)
    }
}

/// Holds whoever comes until it is opened.
final class Gate: Sendable {
    private let isOpen = Protected(false)
    func open() { isOpen.withLock { $0 = true } }
    func wait() async {
        while !isOpen.current { try? await Task.sleep(for: .milliseconds(1)) }
    }
}
