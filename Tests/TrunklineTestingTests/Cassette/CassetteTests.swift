import Foundation
import Testing
import TrunklineTesting

@Suite("Cassettes: record and replay")
struct CassetteTests {
    private let directory: ScratchDirectory
    private var file: URL { directory.file("tapes/first.har") }

    init() throws { directory = try ScratchDirectory() }

    private func failing(_ work: () async throws -> Void) async throws -> HTTPError {
        do {
            try await work()
        } catch {
            return HTTPError(error)
        }
        throw TestFailure("It succeeded")
    }

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

    @Test("Each recorded exchange answers once, in order; then it is missing, or repeated where that is asked for")
    func once() async throws {
        let stubs = StubTransport()
        stubs.when(answers: [.text("one"), .text("two")], then: .repeatsLast)
        let recorder = try CassetteTransport(stubs, file: file, mode: .record)
        for _ in 0..<2 { _ = try await recorder.answer(request(.get, "/a")) }
        let player = try CassetteTransport(replaying: file)
        #expect(try await player.text(request(.get, "/a")) == "one")
        #expect(try await player.text(request(.get, "/a")) == "two")
        let error = try await failing { _ = try await player.answer(request(.get, "/a")) }
        guard case .noMatch(_, nil, _, _)? = error.cassetteError else { throw error }
        let repeating = try CassetteTransport(replaying: file, matching: CassetteMatching(repeats: true))
        var texts: [String] = []
        for _ in 0..<4 { texts.append(try await repeating.text(request(.get, "/a"))) }
        #expect(texts == ["one", "two", "two", "two"])
    }

    @Test("What differs is said: method, URL, a header field, the body")
    func matching() async throws {
        let stubs = StubTransport()
        stubs.when(answer: .answer { .text($0.text) })
        let recorder = try CassetteTransport(stubs, file: file, mode: .record)
        let bodies = [#"{"a": 1, "b": 2}"#, #"{"a":3}"#]
        for (index, body) in bodies.enumerated() {
            let asked = try request(
                .post, "/a?t=\(index)&x=1", headers: ["X-Kind": "k\(index)"],
                body: .text(body, contentType: "application/json"))
            _ = try await recorder.answer(asked)
        }
        let rule = CassetteMatching(ignoredQuery: ["t"], headers: ["X-Kind"], body: true)
        let player = try CassetteTransport(replaying: file, matching: rule)
        func ask(
            _ method: HTTPMethod = .post, _ target: String = "/a?x=1&t=9", kind: String = "k1",
            body: String = #"{"a":3}"#
        )
            async throws -> String
        {
            try await player.text(
                request(method, target, headers: ["X-Kind": kind], body: .text(body, contentType: "application/json")))
        }
        #expect(try await ask() == bodies[1])
        let rows: [(HTTPMethod, String, String, String, String)] = [
            (.put, "/a?x=1", "k0", #"{"a":1,"b":2}"#, "the method is PUT, recorded POST"),
            (.post, "/b?x=1", "k0", #"{"a":1,"b":2}"#, "the URL is https://api.test/b?x=1"),
            (.post, "/a?x=1", "k2", #"{"a":1,"b":2}"#, "the header field \"X-Kind\" is k2, recorded k0"),
            (.post, "/a?x=1", "k0", #"{"a":1,"b":3}"#, "the body differs"),
        ]
        for row in rows {
            let error = try await failing { _ = try await ask(row.0, row.1, kind: row.2, body: row.3) }
            #expect(error.description.contains(row.4), "\(error)")
        }
        // JSON matches by its value.
        #expect(try await ask(.post, "/a?x=1", kind: "k0", body: #"{"b":2,"a":1.0}"#) == bodies[0])
    }

    @Test("In recorded order the next exchange must match")
    func order() async throws {
        let stubs = StubTransport()
        stubs.when(answer: .answer { .text($0.path) })
        let recorder = try CassetteTransport(stubs, file: file, mode: .record)
        for path in ["/a", "/b"] { _ = try await recorder.answer(request(.get, path)) }
        let player = try CassetteTransport(replaying: file, matching: CassetteMatching(order: .recorded))
        let error = try await failing { _ = try await player.answer(request(.get, "/b")) }
        #expect(error.description.contains("The nearest is GET https://api.test/a"))
        #expect(try await player.text(request(.get, "/a")) == "/a")
        #expect(try await player.text(request(.get, "/b")) == "/b")
    }

    @Test("Record missing asks only for what is not there, and keeps what was")
    func recordMissing() async throws {
        let stubs = StubTransport()
        stubs.when(answer: .answer { .text($0.path) })
        for paths in [["/a"], ["/a", "/b"], ["/b", "/a", "/b", "/c"]] {
            let cassette = try CassetteTransport(stubs, file: file, mode: .recordMissing)
            for path in paths { #expect(try await cassette.text(request(.get, path)) == path) }
        }
        #expect(stubs.requests.map(\.url.path) == ["/a", "/b", "/b", "/c"])
        #expect(try HARFile(contentsOf: file).log.entries.map { $0.request.url.suffix(2) } == ["/a", "/b", "/b", "/c"])
        let through = try CassetteTransport(stubs, file: file, mode: .passThrough)
        _ = try await through.answer(request(.get, "/z"))
        #expect(try HARFile(contentsOf: file).log.entries.count == 4)
        let anew = try CassetteTransport(stubs, file: file, mode: .record)
        #expect(try HARFile(contentsOf: file).log.entries.count == 4)
        _ = try await anew.answer(request(.get, "/z"))
        #expect(try HARFile(contentsOf: file).log.entries.count == 1)
    }

    @Test("Credentials never reach the file, in any place, and still match on replay")
    func redaction() async throws {
        let stubs = StubTransport()
        stubs.when(
            answer: .json(#"{"access_token":"PLANTED","n":1}"#).addingHeader("Set-Cookie", "s=PLANTED")
                .addingHeader("Location", "https://api.test/x?token=PLANTED"))
        var parts = MultipartFormData()
        parts.append("PLANTED", name: "password")
        parts.append("Emma", name: "title")
        let requests = [
            try request(
                .get, "https://u:PLANTED@api.test/a?token=PLANTED&x=1",
                headers: ["Authorization": "Bearer PLANTED", "Cookie": "PLANTED"]),
            try request(.post, "/json", body: .text(#"{"password":"PLANTED","a":1}"#, contentType: "application/json")),
            try request(
                .post, "/form", body: .text("password=PLANTED&a=1", contentType: "application/x-www-form-urlencoded")),
            try request(.post, "/multipart", body: try .multipart(parts)),
        ]
        let rule = CassetteMatching(headers: ["Authorization"], body: true)
        let recorder = try CassetteTransport(stubs, file: file, mode: .record, matching: rule)
        for request in requests { _ = try await recorder.answer(request) }
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(!text.contains("PLANTED"))
        #expect(text.contains("Emma"))
        let player = try CassetteTransport(replaying: file, matching: rule)
        var other = MultipartFormData()
        other.append("ANOTHER", name: "password")
        other.append("Emma", name: "title")
        for request in requests.dropLast() { #expect(try await player.answer(request).statusCode == 200) }
        let again = try request(.post, "/multipart", body: try .multipart(other))
        #expect(try await player.answer(again).data == Data(#"{"access_token":"<redacted>","n":1}"#.utf8))
        let open = try CassetteTransport(stubs, file: file, mode: .record, redaction: .none)
        _ = try await open.answer(requests[0])
        #expect(try String(contentsOf: file, encoding: .utf8).contains("PLANTED"))
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
        let error = try await failing { _ = try await late.value }
        guard case .timedOut(.idle) = error else { throw error }
    }

    @Test("Failures are recorded and come again", arguments: StubAnswerTests.failures)
    func failures(_ failure: StubFailure) async throws {
        let stubs = StubTransport()
        stubs.when(answer: .failure(failure))
        let recorder = try CassetteTransport(stubs, file: file, mode: .record)
        let first = try await failing { _ = try await recorder.answer(request(.get, "/a")) }
        let player = try CassetteTransport(replaying: file)
        let second = try await failing { _ = try await player.answer(request(.get, "/a")) }
        #expect(HARFailure(first) == HARFailure(second))
        #expect(HARFailure(second) != .other)
    }

    @Test("A body that was cut short is cut short again", arguments: [BodyDelivery.data, .stream])
    func cutShort(_ delivery: BodyDelivery) async throws {
        let stubs = StubTransport()
        stubs.when(answer: .text("0123456789").dropped(afterBytes: 4))
        func lost(_ transport: CassetteTransport) async throws -> (ConnectionLoss, Data) {
            let arrived = Collector<Data>()
            let error = try await failing {
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

    @Test("A cancelled exchange and an abandoned stream leave nothing in the file")
    func cancelled() async throws {
        let clock = TestClock()
        let stubs = StubTransport(clock: clock)
        stubs.when(.get, "/never", answer: .never)
        stubs.when(.get, "/stream", answer: .chunks([Data("a".utf8), Data("b".utf8)]))
        let recorder = try CassetteTransport(stubs, file: file, mode: .record)
        let sending = Task { try await recorder.answer(request(.get, "/never")) }
        await clock.waitForSleepers()
        sending.cancel()
        _ = try await failing { _ = try await sending.value }
        do {
            let response = try await recorder.answer(request(.get, "/stream", delivery: .stream))
            guard case .stream(let stream) = response.body else { throw TestFailure("no stream") }
            var iterator = stream.makeAsyncIterator()
            #expect(try await iterator.next() == Data("a".utf8))
        }
        #expect(recorder.entries.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test("A one-shot upload is recorded and sent with its framing")
    func upload() async throws {
        let server = try LoopbackServer { $0.addStandardRoutes() }
        let recorder = try CassetteTransport(DefaultTransport.make(), file: file, mode: .record)
        let stream = AsyncThrowingStream<Data, any Error> { continuation in
            continuation.yield(Data("abc".utf8))
            continuation.finish()
        }
        _ = try await recorder.answer(
            request(.put, "/upload", base: server.baseURL.absoluteString, body: .oneShot(stream)))
        #expect(server.requests.first?.body == Data("abc".utf8))
        #expect(recorder.entries.first?.request.postData?.data == Data("abc".utf8))
    }

    /// Files that are no cassettes.
    static let damaged: [String] = [
        "", "{", "[]", "{}", #"{"log":{}}"#, #"{"log":{"entries":[{}]}}"#,
        #"{"log":{"entries":[{"request":{"method":"GET","url":"http://h/"},"response":{"status":200,"content":{"size":3,"text":"%%%","encoding":"base64"}}}]}}"#,
        #"{"log":{"entries":[{"request":{"method":"GET","url":"http://h/"},"response":{"status":-7,"content":{}}}]}}"#,
        #"{"log":{"entries":[{"request":{"method":"GET","url":""},"response":{"status":200,"content":{}}}]}}"#,
    ]

    @Test("A missing file and a damaged one are errors that name it; the damaged one is left alone", arguments: damaged)
    func damage(_ text: String) throws {
        let missing = #expect(throws: CassetteError.self) { try CassetteTransport(replaying: file) }
        guard case .missing(file)? = missing else {
            Issue.record("\(String(describing: missing))")
            return
        }
        let broken = directory.file("broken.har")
        try Data(text.utf8).write(to: broken)
        for mode in [CassetteTransport.Mode.replay, .recordMissing] {
            let error = #expect(throws: CassetteError.self) {
                try CassetteTransport(StubTransport(), file: broken, mode: mode)
            }
            guard case .damaged(broken, _)? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
        #expect(try Data(contentsOf: broken) == Data(text.utf8))
    }

    @Test("A file that breaks off, or has one byte changed, is damaged or whole, never a trap")
    func truncationFuzz() async throws {
        let stubs = StubTransport()
        stubs.when(answer: .data(Data((0...255).map { UInt8($0) })))
        let recorder = try CassetteTransport(stubs, file: file, mode: .record)
        for index in 0..<3 { _ = try await recorder.answer(request(.get, "/\(index)")) }
        let whole = try Data(contentsOf: file)
        let broken = directory.file("broken.har")
        var random = SeededRandom(seed: 11)
        for round in 0..<FuzzRounds.count(full: 4000) {
            var bytes = whole
            if round.isMultiple(of: 2) {
                bytes = bytes.prefix(random.below(bytes.count - 1))
            } else {
                bytes[random.below(bytes.count)] = UInt8(random.below(256))
            }
            try bytes.write(to: broken)
            guard let player = try? CassetteTransport(replaying: broken) else { continue }
            #expect(!round.isMultiple(of: 2), "half a file was taken for a whole one")
            for index in 0..<3 { _ = try? await player.answer(request(.get, "/\(index)")) }
        }
    }

    @Test("A file another tool wrote, without the contents, fails with words")
    func withoutContent() async throws {
        let text =
            #"{"log":{"version":"1.2","creator":{"name":"x","version":"1"},"entries":[{"request":{"method":"GET","url":"https://api.test/a","headers":[{"name":":authority","value":"x"}]},"response":{"status":200,"headers":[],"content":{"size":5,"mimeType":"text/plain"}},"timings":{"wait":1e300,"receive":null}}]}}"#
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
        let player = try CassetteTransport(replaying: file)
        let error = try await failing { _ = try await player.answer(request(.get, "/a")) }
        guard case .contentMissing? = error.cassetteError else { throw error }
    }

    @Test("A file that can't be written is an error of the request that was recorded")
    func unwritable() async throws {
        try Data().write(to: directory.file("tapes"))
        let stubs = StubTransport()
        stubs.when(answer: .status(200))
        let recorder = try CassetteTransport(stubs, file: file, mode: .record)
        let error = try await failing { _ = try await recorder.answer(request(.get, "/a")) }
        guard case .notWritten? = error.cassetteError else { throw error }
    }

    @Test("Many exchanges at once are all in the file, in the order they began")
    func concurrency() async throws {
        let stubs = StubTransport()
        stubs.when(answer: .answer { .text($0.path) })
        let recorder = try CassetteTransport(stubs, file: file, mode: .record)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<60 { group.addTask { _ = try await recorder.answer(request(.get, "/\(index)")) } }
            try await group.waitForAll()
        }
        #expect(try HARFile(contentsOf: file).log.entries.count == 60)
        let player = try CassetteTransport(replaying: file)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for index in 0..<60 {
                group.addTask { try await player.text(request(.get, "/\(index)")) == "/\(index)" }
            }
            for try await isRight in group { #expect(isRight) }
        }
        #expect(player.unusedCount == 0)
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
