import Foundation
import Testing
import TrunklineTesting

@Suite("Cassettes: what was recorded comes again")
struct CassetteReplayTests {
    private let directory: ScratchDirectory
    private var file: URL { directory.file("tapes/first.har") }

    init() throws { directory = try ScratchDirectory() }

    /// All that a response is, to be compared.
    private struct Facts: Equatable {
        var status: Int
        var headers: HTTPHeaders
        var body: Data
        var trailers: HTTPHeaders

        init(_ response: HTTPResponse) async throws {
            (status, headers, trailers) = (response.statusCode, response.headers, response.trailers)
            switch response.body {
            case .data(let data): body = data
            case .file(let url): body = try Data(contentsOf: url)
            case .stream: body = try await chunks(of: response).reduce(Data(), +)
            }
        }
    }

    /// The bytes nobody should lose: text, binary, a byte-order mark, line ends, nothing, a lone surrogate's bytes.
    static let bodies: [Data] = [
        Data("plain é 🎼\r\n\t\u{0}\u{1F}".utf8), Data((0...255).map { UInt8($0) }), Data([0xEF, 0xBB, 0xBF, 0x41]),
        Data(),
        Data([0xED, 0xA0, 0x80]), Data("\u{2028}\u{FFFD}\\\"/".utf8), Data(repeating: 0xC3, count: 100_000),
    ]

    @Test("What a real server answered is replayed byte by byte, however it is delivered", arguments: [0, 1, 2])
    func byteExact(_ kind: Int) async throws {
        let server = try LoopbackServer { server in
            server.addStandardRoutes()
            for (index, body) in Self.bodies.enumerated() {
                server.route(.get, "/body/\(index)") { _ in
                    LoopbackResponse.data(body, headers: ["X-A": " 1", "Set-Other": "b=1"])
                        .addingHeader("X-a", "2").addingHeader("Link", "<a>; rel=\"next\"").addingHeader("Link", "<b>")
                }
            }
        }
        let delivered = directory.file("delivered")
        let delivery: BodyDelivery = [.data, .file(delivered), .stream][kind]
        let paths =
            Self.bodies.indices.map { "/body/\($0)" } + [
                "/gzip", "/stream/3", "/status/404", "/redirect/2", "/range/10", "/bytes/100000", "/html",
            ]
        let recorder = try CassetteTransport(DefaultTransport.make(), file: file, mode: .record)
        var recorded: [Facts] = []
        for path in paths {
            let asked = try request(.get, path, base: server.baseURL.absoluteString, delivery: delivery)
            recorded.append(try await Facts(recorder.answer(asked)))
        }
        let base = server.baseURL.absoluteString
        server.stop()
        let player = try CassetteTransport(replaying: file)
        #expect(player.unusedCount == paths.count)
        for (index, path) in paths.enumerated() {
            let asked = try request(.get, path, base: base, delivery: delivery)
            let progress = Collector<TransferProgress>()
            let response = try await player.answer(asked, progress: ProgressObserver(received: { progress.add($0) }))
            let facts = try await Facts(response)
            #expect(facts == recorded[index], "\(path)")
            if !facts.body.isEmpty { #expect(progress.all.last?.completed == Int64(facts.body.count)) }
        }
        #expect(recorded[0].headers.values(for: "x-a") == ["1", "2"])
        #expect(player.unusedCount == 0)
        #expect(Self.bodies.indices.allSatisfy { recorded[$0].body == Self.bodies[$0] })
    }

    @Test("Failures are recorded and come again", arguments: StubAnswerTests.failures)
    func failures(_ kind: StubFailure) async throws {
        let stubs = StubTransport()
        stubs.when(answer: .failure(kind))
        let recorder = try CassetteTransport(stubs, file: file, mode: .record)
        let first = try await failure { _ = try await recorder.answer(request(.get, "/a")) }
        let player = try CassetteTransport(replaying: file)
        let second = try await failure { _ = try await player.answer(request(.get, "/a")) }
        #expect(HARFailure(first) == HARFailure(second))
        #expect(HARFailure(second) != .other)
    }

    @Test("A body that was cut short is cut short again", arguments: [BodyDelivery.data, .stream])
    func cutShort(_ delivery: BodyDelivery) async throws {
        let stubs = StubTransport()
        stubs.when(answer: .text("0123456789").dropped(afterBytes: 4))
        func lost(_ transport: CassetteTransport) async throws -> (ConnectionLoss, Data) {
            let arrived = Collector<Data>()
            let error = try await failure {
                let response = try await transport.answer(request(.get, "/a", delivery: delivery))
                guard case .stream(let stream) = response.body else { return }
                for try await chunk in stream { arrived.add(chunk) }
            }
            guard case .connectionLost(let loss) = error else { throw error }
            return (loss, delivery == .data ? loss.response?.data ?? Data() : arrived.all.reduce(Data(), +))
        }
        let first = try await lost(CassetteTransport(stubs, file: file, mode: .record))
        let second = try await lost(CassetteTransport(replaying: file))
        #expect(first.0.stage == .duringBody && second.0.stage == .duringBody)
        #expect(first.1 == Data("0123".utf8) && second.1 == first.1)
    }

    @Test("Times are recorded on the clock and kept on request, or the idle limit ends the wait")
    func timing() async throws {
        let clock = TestClock()
        let stubs = StubTransport(clock: clock)
        stubs.when(answer: .text("late").delayed(by: .seconds(30)))
        let recorder = try CassetteTransport(
            stubs, file: file, mode: .record, clock: clock, now: { Date(timeIntervalSince1970: 0) })
        let recording = Task { try await recorder.text(request(.get, "/a")) }
        await clock.waitForSleepers()
        clock.advance(by: .seconds(30))
        _ = try await recording.value
        let entry = try #require(recorder.entries.first)
        #expect(entry.time == 30_000 && entry.startedDateTime == "1970-01-01T00:00:00.000Z")
        #expect(try await CassetteTransport(replaying: file, clock: clock).text(request(.get, "/a")) == "late")
        let slow = try CassetteTransport(replaying: file, timing: .asRecorded, clock: clock)
        let replaying = Task { try await slow.text(request(.get, "/a")) }
        await clock.waitForSleepers()
        clock.advance(by: .seconds(29))
        #expect(clock.sleeperCount == 1)
        clock.advance(by: .seconds(1))
        #expect(try await replaying.value == "late")
        let limited = try CassetteTransport(replaying: file, timing: .asRecorded, clock: clock)
        let late = Task { try await limited.answer(request(.get, "/a"), timeouts: Timeouts(idle: .seconds(10))) }
        await clock.waitForSleepers()
        clock.advance(by: .seconds(10))
        let error = try await failure { _ = try await late.value }
        guard case .timedOut(.idle) = error else { throw error }
    }

    @Test(
        "Trailers of a body and of a stream come again", .enabled(if: curlIsThere),
        arguments: [BodyDelivery.data, .stream])
    func trailers(_ delivery: BodyDelivery) async throws {
        let server = try LoopbackServer { server in
            server.route(.get, "/a", respond: .chunked(["a", "b"], trailers: ["X-Sum": "7"]))
        }
        let recorder = try CassetteTransport(DefaultTransport.make(), file: file, mode: .record)
        let asked = try request(.get, "/a", base: server.baseURL.absoluteString, delivery: delivery)
        let recorded = try await Facts(recorder.answer(asked))
        #expect(recorded.body == Data("ab".utf8))
        #expect(try HARFile(contentsOf: file).log.entries.first?.response.trailers?.headers["X-Sum"] == "7")
        #expect(try await Facts(CassetteTransport(replaying: file).answer(asked)).trailers["X-Sum"] == "7")
    }

    @Test("The whole pipeline runs over a cassette: redirects are exchanges of their own")
    func pipeline() async throws {
        let server = try LoopbackServer { $0.addStandardRoutes() }
        let base = server.baseURL.absoluteString
        let recorder = try CassetteTransport(DefaultTransport.make(), file: file, mode: .record)
        let online = SessionManager(transport: recorder)
        let first = try await online.request(base + "/redirect/2").response()
        server.stop()
        let player = try CassetteTransport(replaying: file)
        let offline = SessionManager(transport: player)
        let second = try await offline.request(base + "/redirect/2").response()
        #expect(player.entries.map(\.response.status) == [302, 302, 200])
        #expect(first.data == second.data && first.url == second.url && !first.data.isEmpty)
    }
}
