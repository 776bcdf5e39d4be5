import Foundation
import Testing
import TrunklineTesting

@testable import TrunklineHTTP

@Suite struct StreamRequestTests {
    private static let ok = "HTTP/1.1 200 OK\r\n"

    // MARK: - Reading

    @Test(arguments: TransportKind.allCases)
    func `lines come one by one, characters whole over the chunks' borders`(kind: TransportKind) async throws {
        let text = "one\r\ntw\u{F6}\n\u{1F600}\rlast"
        let server = try LoopbackServer { server in
            server.route(.get, "/", respond: .chunked(text.utf8.map { Data([$0]) }))
        }
        let session = kind.session()
        var lines: [String] = []
        for try await line in session.stream(try server.request()).lines { lines.append(line) }
        #expect(lines == ["one", "tw\u{F6}", "\u{1F600}", "last"])
    }

    @Test(arguments: TransportKind.allCases)
    func `chunks and bytes are the content`(kind: TransportKind) async throws {
        let content = LoopbackPattern(seed: 5).bytes(count: 300_000)
        let server = try LoopbackServer { $0.route(.get, "/", respond: .generated(count: 300_000, seed: 5)) }
        let session = kind.session()
        var chunks = Data()
        for try await chunk in session.stream(try server.request()).chunks {
            #expect(!chunk.isEmpty)
            chunks.append(chunk)
        }
        #expect(chunks == content)
        var bytes: [UInt8] = []
        for try await byte in session.stream(try server.request()).bytes { bytes.append(byte) }
        #expect(Data(bytes) == content)
    }

    @Test(arguments: TransportKind.allCases)
    func `a response without content ends at once`(kind: TransportKind) async throws {
        let server = try LoopbackServer { $0.fallback(respond: .status(204)) }
        let session = kind.session()
        let stream = session.stream(try server.request())
        var count = 0
        for try await _ in stream.lines { count += 1 }
        #expect(count == 0)
        #expect(try await stream.head().statusCode == 204)
        #expect(stream.state == .finished)
    }

    @Test(arguments: TransportKind.allCases)
    func `the head is there before the content`(kind: TransportKind) async throws {
        let gate = LoopbackGate()
        let server = try LoopbackServer { server in
            server.script([
                .readRequest, .send(Self.ok + "X-A: 1\r\nContent-Length: 3\r\n\r\n"), .hold(gate), .send("abc"),
            ])
        }
        let session = kind.session()
        let stream = session.stream(try server.request())
        let head = try await stream.head()
        #expect(head.headers["X-A"] == "1")
        #expect(head.data.isEmpty)
        #expect(stream.state == .running)
        gate.open()
        var content = Data()
        for try await chunk in stream.chunks { content.append(chunk) }
        #expect(content == Data("abc".utf8))
        #expect(await eventually { stream.state == .finished })
    }

    @Test func `trailers are there after the end`() async throws {
        let server = try LoopbackServer { server in
            server.route(.get, "/", respond: .chunked(["a", "b"], trailers: ["X-Sum": "7", "X-B": "c"]))
        }
        let session = SessionManager(transport: try CurlTransport())
        let stream = session.stream(try server.request())
        _ = try await stream.head()
        #expect(stream.trailers.isEmpty)
        for try await _ in stream.chunks {}
        #expect(stream.trailers["X-Sum"] == "7")
        #expect(stream.trailers["X-B"] == "c")
    }

    @Test func `a slow reader slows the server down`() async throws {
        let server = try LoopbackServer { $0.route(.get, "/", respond: .generated(count: 64 << 20, seed: 1)) }
        let session = SessionManager(transport: try CurlTransport())
        let received = Collector<Int64>()
        let stream = session.stream(
            try server.request(), progress: ProgressObserver(received: { received.add($0.completed) }))
        var iterator: StreamChunks.Iterator? = stream.chunks.makeAsyncIterator()
        var taken = try await iterator?.next()?.count ?? 0
        // What is kept meanwhile is bounded, however long it takes: it must come to rest below that.
        #expect(await eventually { (received.all.last ?? 0) >= Int64(taken) })
        try await Task.sleep(for: .milliseconds(300))
        #expect((received.all.last ?? 0) - Int64(taken) < 2 << 20)
        taken += try await iterator?.next()?.count ?? 0
        #expect(taken > 0)
        iterator = nil
        #expect(await eventually { stream.state == .finished })
    }

    // MARK: - Failures

    @Test(arguments: TransportKind.allCases)
    func `content that is cut short ends with the error, after what arrived`(kind: TransportKind) async throws {
        let server = try LoopbackServer { server in
            server.script([.readRequest, .send(Self.ok + "Content-Length: 100\r\n\r\none\ntw"), .close])
        }
        let session = kind.session()
        let stream = session.stream(try server.request())
        var lines: [String] = []
        let error = await #expect(throws: HTTPError.self) {
            for try await line in stream.lines { lines.append(line) }
        }
        #expect(lines == ["one"])
        #expect(ErrorKind(error) == .lostDuringBody)
        // The outcome is final for everybody.
        #expect(await eventually { stream.state == .finished })
    }

    @Test(arguments: TransportKind.allCases)
    func `a refused response has its content with the error, 1 MB at most`(kind: TransportKind) async throws {
        let server = try LoopbackServer { server in
            server.route(.get, "/small", respond: .json(#"{"why":"no"}"#, status: 403))
            server.route(.get, "/large", respond: .generated(count: 5 << 20, status: 500))
        }
        let session = kind.session()
        for (path, count) in [("/small", 12), ("/large", 1 << 20)] {
            let stream = session.stream(try server.request(.get, path))
            let head = await #expect(throws: HTTPError.self) { try await stream.head() }
            guard case .validation(let failure) = head else {
                Issue.record("\(String(describing: head))")
                continue
            }
            #expect(failure.response.data.count == count)
            let body = await #expect(throws: HTTPError.self) {
                for try await _ in stream.chunks {}
            }
            #expect(body?.response?.data.count == count)
        }
    }

    @Test func `a request that can't be made ends head and content with the reason`() async throws {
        let session = SessionManager(transport: StubTransport { .stub(for: $0) })
        let stream = session.stream("nonsense")
        #expect(ErrorKind(await #expect(throws: HTTPError.self) { try await stream.head() }) == .invalidRequest)
        let error = await #expect(throws: HTTPError.self) {
            for try await _ in stream.lines {}
        }
        #expect(ErrorKind(error) == .invalidRequest)
    }

    @Test func `a second consumer is refused and the first goes on`() async throws {
        let server = try LoopbackServer { $0.route(.get, "/", respond: .text("a\nb\n")) }
        let session = SessionManager(transport: try CurlTransport())
        let stream = session.stream(try server.request())
        var first = stream.lines.makeAsyncIterator()
        #expect(try await first.next() == "a")
        var second: StreamLines.Iterator? = stream.lines.makeAsyncIterator()
        let error = await #expect(throws: HTTPError.self) { try await second?.next() }
        #expect(ErrorKind(error) == .unsupported)
        second = nil
        #expect(try await first.next() == "b")
        #expect(try await first.next() == nil)
    }

    @Test func `a line that is too long ends the stream before it is kept`() async throws {
        let server = try LoopbackServer { $0.route(.get, "/", respond: .generated(count: 50 << 20, seed: 0)) }
        let session = SessionManager(transport: try CurlTransport())
        let stream = session.stream(try server.request())
        let error = await #expect(throws: HTTPError.self) {
            for try await _ in stream.lines(maximumLength: 64) {}
        }
        #expect(ErrorKind(error) == .invalidResponse)
        #expect(await eventually { stream.state == .finished })
    }

    @Test func `the total limit counts up to the last byte`() async throws {
        let server = try LoopbackServer { server in
            server.script([
                .readRequest, .send(Self.ok + "Content-Length: 100\r\n\r\nabc"), .hold(LoopbackGate()),
            ])
        }
        let session = SessionManager(
            configuration: SessionConfiguration(timeouts: Timeouts(total: .milliseconds(300))),
            transport: try CurlTransport())
        let error = await #expect(throws: HTTPError.self) {
            for try await _ in session.stream(try server.request()).chunks {}
        }
        guard case .timedOut(.total) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
