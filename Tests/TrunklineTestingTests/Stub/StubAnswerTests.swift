import Foundation
import Testing
import TrunklineTesting

@Suite("Stub transport: how a stub answers")
struct StubAnswerTests {
    @Test("A list of answers ends as it was told to", arguments: [Stub.End.repeatsLast, .startsOver])
    func sequences(_ end: Stub.End) async throws {
        let stubs = StubTransport()
        stubs.when(.get, "/a", answers: [.status(503), .text("one"), .text("two")], then: end)
        var statuses: [Int] = []
        for _ in 0..<5 { statuses.append(try await stubs.answer(request(.get, "/a")).statusCode) }
        #expect(statuses == (end == .repeatsLast ? [503, 200, 200, 200, 200] : [503, 200, 200, 503, 200]))
    }

    @Test("Every way of delivery gets the same bytes, with progress", arguments: [0, 1, 2])
    func deliveries(_ kind: Int) async throws {
        let directory = try ScratchDirectory()
        let file = directory.file("body")
        let content = LoopbackPattern(seed: 3).bytes(count: 200_000)
        let stubs = StubTransport()
        stubs.when(answer: .data(content).addingHeader("Set-Cookie", "a=1").addingHeader("Set-Cookie", "b=2"))
        let delivery: BodyDelivery = [.data, .file(file), .stream][kind]
        let received = Collector<TransferProgress>()
        let response = try await stubs.answer(
            request(.get, "/a", delivery: delivery), progress: ProgressObserver(received: { received.add($0) }))
        let bytes: Data
        switch response.body {
        case .data(let data): bytes = data
        case .file(let url): bytes = try Data(contentsOf: url)
        case .stream: bytes = try await chunks(of: response).reduce(Data(), +)
        }
        #expect(bytes == content)
        #expect(response.headers.values(for: "Set-Cookie") == ["a=1", "b=2"])
        #expect(received.all.last == TransferProgress(completed: 200_000, total: 200_000))
        #expect(received.count > 1)
    }

    @Test("Chunks arrive as they were cut, each after its pause")
    func chunked() async throws {
        let clock = TestClock()
        let stubs = StubTransport(clock: clock)
        stubs.when(answer: .chunks([Data("ab".utf8), Data("c".utf8), Data("def".utf8)], interval: .seconds(5)))
        let response = try await stubs.answer(request(.get, "/a", delivery: .stream))
        #expect(!response.headers.contains("Content-Length"))
        let reading = Task { try await chunks(of: response) }
        for _ in 0..<2 {
            await clock.waitForSleepers()
            clock.advance(by: .seconds(5))
        }
        #expect(try await reading.value == ["ab", "c", "def"].map { Data($0.utf8) })
        #expect(clock.now.offset == .seconds(10))
    }

    @Test("Latency and bandwidth run on the clock, a whole body in one step of it")
    func pace() async throws {
        let clock = TestClock()
        let stubs = StubTransport(clock: clock)
        stubs.when(answer: .data(Data(count: 10_000)).delayed(by: .seconds(3)).throttled(bytesPerSecond: 1000))
        let sending = Task { try await stubs.answer(request(.get, "/a")).data.count }
        await clock.waitForSleepers()
        clock.advance(by: .seconds(3))
        await clock.waitForSleepers()
        clock.advance(by: .seconds(10))
        #expect(try await sending.value == 10_000)
    }

    @Test("A pause longer than the idle limit is a timeout, after that limit")
    func idle() async throws {
        for answer in [StubAnswer.text("late").delayed(by: .seconds(90)), .never] {
            let clock = TestClock()
            let stubs = StubTransport(clock: clock)
            stubs.when(answer: answer)
            let sending = Task { try await stubs.answer(request(.get, "/a"), timeouts: Timeouts(idle: .seconds(60))) }
            await clock.waitForSleepers()
            clock.advance(by: .seconds(60))
            let error = await #expect(throws: HTTPError.self) { _ = try await sending.value }
            guard case .timedOut(.idle)? = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
    }

    @Test(
        "A dropped connection is lost during the body, with what had arrived; a file is removed", arguments: [0, 1, 2])
    func drops(_ kind: Int) async throws {
        let directory = try ScratchDirectory()
        let file = directory.file("body")
        let stubs = StubTransport()
        stubs.when(answer: .text("0123456789").dropped(afterBytes: 4))
        let asked = try request(.get, "/a", delivery: [.data, .file(file), .stream][kind])
        let arrived = Collector<Data>()
        let error = await #expect(throws: HTTPError.self) {
            let response = try await stubs.answer(asked)
            guard case .stream(let stream) = response.body else { return }
            for try await chunk in stream { arrived.add(chunk) }
        }
        guard case .connectionLost(let loss)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(loss.stage == .duringBody)
        #expect(loss.response?.statusCode == 200)
        if kind == 0 { #expect(loss.response?.data == Data("0123".utf8)) }
        if kind == 1 { #expect(!FileManager.default.fileExists(atPath: file.path)) }
        if kind == 2 { #expect(arrived.all == [Data("0123".utf8)]) }
    }

    static let failures: [StubFailure] = [
        .offline, .timedOut(.connect), .nameResolution, .connectionRefused, .connectionLost,
        .tls(.untrustedCertificate), .invalidResponse,
    ]

    @Test("Failures are those of a real transport", arguments: failures)
    func failure(_ failure: StubFailure) async throws {
        let stubs = StubTransport()
        stubs.when(answer: .failure(failure))
        let asked = try request(.get, "/a")
        let error = await #expect(throws: HTTPError.self) { _ = try await stubs.answer(asked) }
        #expect(error?.description == failure.error(for: asked.url).description)
    }

    @Test("HEAD, 204 and 304 have no content, and bad statuses are no trap", arguments: [0, 204, 304, 99, 1000])
    func emptiness(_ status: Int) async throws {
        let stubs = StubTransport()
        stubs.when(answer: StubAnswer(status: status == 0 ? 200 : status, body: Data("x".utf8)))
        let asked = try request(status == 0 ? .head : .get, "/a")
        if (100...599).contains(status) || status == 0 {
            let response = try await stubs.answer(asked)
            #expect(response.data.isEmpty)
            #expect(response.headers["Content-Length"] == (status == 0 ? "1" : nil))
        } else {
            let error = await #expect(throws: HTTPError.self) { _ = try await stubs.answer(asked) }
            #expect(error?.stubError != nil)
        }
    }

    @Test("Cancelling ends at once whatever the stub does", arguments: [0, 1, 2])
    func cancelling(_ kind: Int) async throws {
        let clock = TestClock()
        let stubs = StubTransport(clock: clock)
        stubs.when(
            answer: [
                .never, .text("x").delayed(by: .seconds(5)),
                .answer { _ in
                    try await clock.sleep(for: .seconds(5))
                    return .status(200)
                },
            ][kind])
        let asked = try request(.get, "/a")
        let sending = Task { try await stubs.answer(asked) }
        await clock.waitForSleepers()
        sending.cancel()
        let error = await #expect(throws: HTTPError.self) { _ = try await sending.value }
        guard case .cancelled? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("A cancelled reader of a stream gets .cancelled")
    func cancellingStream() async throws {
        let clock = TestClock()
        let stubs = StubTransport(clock: clock)
        stubs.when(answer: .chunks([Data("a".utf8), Data("b".utf8)], interval: .seconds(5)))
        let response = try await stubs.answer(request(.get, "/a", delivery: .stream))
        let reading = Task { try await chunks(of: response) }
        await clock.waitForSleepers()
        reading.cancel()
        let error = await #expect(throws: HTTPError.self) { _ = try await reading.value }
        guard case .cancelled? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("Uploads of every kind are recorded with their bytes, with progress", arguments: [0, 1, 2, 3])
    func uploads(_ kind: Int) async throws {
        let directory = try ScratchDirectory()
        let file = directory.file("upload")
        try Data("abcdef".utf8).write(to: file)
        let bodies: [RequestBody] = [
            .text("abcdef"), try .file(file), streamed(["abc", "def"], length: 6), streamed(["abc", "def"]),
        ]
        let stubs = StubTransport()
        let stub = stubs.when(.put, "/a", answer: .status(201))
        let sent = Collector<TransferProgress>()
        _ = try await stubs.answer(
            request(.put, "/a", body: bodies[kind]), progress: ProgressObserver(sent: { sent.add($0) }))
        #expect(stub.requests.map(\.text) == ["abcdef"])
        #expect(sent.all.last == TransferProgress(completed: 6, total: kind == 3 ? nil : 6))
    }

    @Test("A body of another length than announced is refused, as on a real transport")
    func wrongLength() async throws {
        let stubs = StubTransport()
        stubs.when(answer: .status(200))
        let asked = try request(.put, "/a", body: streamed(["abc"], length: 4))
        let error = await #expect(throws: HTTPError.self) { _ = try await stubs.answer(asked) }
        guard case .invalidRequest(.body)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("Fixtures come from files; a missing one says what there is")
    func fixtures() async throws {
        let directory = try ScratchDirectory()
        try Data(#"{"a":1}"#.utf8).write(to: directory.file("first.json"))
        let stubs = StubTransport()
        stubs.when(answer: try .file(directory.file("first.json"), status: 201))
        let response = try await stubs.answer(request(.get, "/a"))
        #expect(response.statusCode == 201)
        #expect(response.headers["Content-Type"] == "application/json")
        #expect(response.data == Data(#"{"a":1}"#.utf8))
        let missing = #expect(throws: StubError.self) { try StubAnswer.file(directory.file("second.json")) }
        #expect(missing?.description.contains("second.json") == true)
        #expect(missing?.description.contains("there is first.json") == true)
        #expect(throws: StubError.self) { try StubAnswer.file(directory.url) }
        let absent = #expect(throws: StubError.self) { try StubAnswer.fixture("answers/none.json", in: .main) }
        #expect(absent?.description.contains("answers/none.json") == true)
        #expect(absent?.description.contains("resources of the test target") == true)
    }

    @Test("Fixtures come from bundles, out of folders too")
    func bundles() async throws {
        let directory = try ScratchDirectory()
        let folder = directory.file("Some.bundle/answers")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data("x".utf8).write(to: folder.appendingPathComponent("a.txt"))
        let bundle = try #require(Bundle(url: directory.file("Some.bundle")))
        #expect(try StubAnswer.fixture("answers/a.txt", in: bundle).body == Data("x".utf8))
    }

    @Test("The whole pipeline runs over it: a retry, a decoded value")
    func pipeline() async throws {
        let stubs = StubTransport()
        stubs.when(.get, "/items/{id}", answers: [.status(503), .json(["title": "Emma"])], then: .fails)
        var configuration = SessionConfiguration()
        configuration.retry = RetryPolicy(limit: 2)
        let session = SessionManager(configuration: configuration, transport: stubs)
        let response = try await session.request("https://api.test/items/1").response()
        #expect(response.data == Data(#"{"title":"Emma"}"#.utf8))
        try stubs.verify(.get, "/items/1", count: .exactly(2))
    }
}
