import Foundation
import Testing
import TrunklineTesting

@testable import TrunklineHTTP

/// How streams end before their last byte.
@Suite struct StreamEndTests {
    /// A server whose only answer never ends, and what tells that the client has gone.
    private struct Endless {
        let server: LoopbackServer
        let closed: Collector<Bool>

        init() throws {
            let closed = Collector<Bool>()
            self.closed = closed
            server = try LoopbackServer { server in
                server.route(.get, "/") { _ in
                    .pipe(status: 200, headers: ["Content-Type": "text/plain"]) { pipe in
                        pipe.send("line 1\nline 2\n")
                        while await pipe.receive() != nil {}
                        closed.add(true)
                    }
                }
            }
        }

        var isClosed: Bool { closed.count == 1 }
    }

    @Test(arguments: TransportKind.allCases)
    func `leaving the loop closes the connection`(kind: TransportKind) async throws {
        let endless = try Endless()
        let session = kind.session()
        for try await line in session.stream(try endless.server.request()).lines {
            #expect(line == "line 1")
            break
        }
        #expect(await eventually { endless.isClosed })
        #expect(await eventually { session.activeRequests.isEmpty })
    }

    @Test func `a stream that nobody reads ends with its last reference`() async throws {
        let endless = try Endless()
        let session = SessionManager(transport: try CurlTransport())
        var stream: StreamRequest? = session.stream(try endless.server.request())
        #expect(try await stream?.head().statusCode == 200)
        #expect(session.activeRequests.count == 1)
        stream = nil
        #expect(await eventually { endless.isClosed && session.activeRequests.isEmpty })
    }

    @Test(arguments: TransportKind.allCases)
    func `a cancel from elsewhere wakes the reader`(kind: TransportKind) async throws {
        let endless = try Endless()
        let session = kind.session()
        let stream = session.stream(try endless.server.request())
        let lines = Collector<String>()
        let reader = Task {
            for try await line in stream.lines { lines.add(line) }
        }
        #expect(await eventually { lines.count == 2 })
        stream.cancel()
        let error = await #expect(throws: HTTPError.self) { try await reader.value }
        #expect(ErrorKind(error) == .cancelled)
        #expect(await eventually { endless.isClosed })
        #expect(lines.all == ["line 1", "line 2"])
    }

    @Test(arguments: TransportKind.allCases)
    func `cancelling the reading task cancels the request`(kind: TransportKind) async throws {
        let endless = try Endless()
        let session = kind.session()
        let stream = session.stream(try endless.server.request())
        let lines = Collector<String>()
        let reader = Task {
            for try await line in stream.lines { lines.add(line) }
        }
        #expect(await eventually { lines.count == 2 })
        reader.cancel()
        #expect(ErrorKind(await #expect(throws: HTTPError.self) { try await reader.value }) == .cancelled)
        #expect(await eventually { endless.isClosed })
    }

    @Test(arguments: [true, false])
    func `the session's end is the stream's`(byRelease: Bool) async throws {
        let endless = try Endless()
        var session: SessionManager? = SessionManager(transport: try CurlTransport())
        let stream = try #require(session?.stream(try endless.server.request()))
        let lines = Collector<String>()
        let reader = Task {
            for try await line in stream.lines { lines.add(line) }
        }
        #expect(await eventually { lines.count == 2 })
        if byRelease { session = nil } else { session?.invalidate() }
        #expect(ErrorKind(await #expect(throws: HTTPError.self) { try await reader.value }) == .sessionInvalidated)
        #expect(await eventually { endless.isClosed })
        withExtendedLifetime(session) {}
    }

    @MainActor @Test func `a reader on the main actor gets bytes and lines without a switch for each`() async throws {
        let server = try LoopbackServer { server in
            server.route(.get, "/", respond: .text(String(repeating: "a line of text\n", count: 20_000)))
        }
        let session = SessionManager(transport: try CurlTransport())
        var (bytes, lines) = (0, 0)
        for try await _ in session.stream(try server.request()).bytes { bytes += 1 }
        for try await line in session.stream(try server.request()).lines {
            MainActor.assertIsolated()
            if line == "a line of text" { lines += 1 }
        }
        #expect(bytes == 300_000)
        #expect(lines == 20_000)
    }

    @Test func `a suspended stream delivers nothing until it is resumed, and a cancel ends it`() async throws {
        let server = try LoopbackServer { $0.route(.get, "/", respond: .generated(count: 8 << 20)) }
        let session = SessionManager(transport: try CurlTransport())
        for cancels in [false, true] {
            let stream = session.stream(try server.request())
            _ = try await stream.head()
            stream.suspend()
            let counts = Collector<Int>()
            let reader = Task {
                for try await chunk in stream.chunks { counts.add(chunk.count) }
            }
            try await Task.sleep(for: .milliseconds(100))
            #expect(counts.count == 0)
            #expect(stream.state == .suspended)
            if cancels { stream.cancel() } else { stream.resume() }
            let result = await reader.result
            if cancels {
                #expect(throws: HTTPError.self) { try result.get() }
            } else {
                #expect(counts.all.reduce(0, +) == 8 << 20)
            }
        }
    }

    @Test func `streams are cancelled by tag and identity`() async throws {
        let endless = try Endless()
        let session = SessionManager(transport: try CurlTransport())
        var request = try endless.server.request()
        request.options.tags = ["feed"]
        let stream = session.stream(request)
        _ = try await stream.head()
        #expect(session.activeRequests.map(\.id) == [stream.id])
        session.cancelAll(tagged: "feed")
        let error = await #expect(throws: HTTPError.self) {
            for try await _ in stream.chunks {}
        }
        #expect(ErrorKind(error) == .cancelled)
    }

    @Test func `handlers hear the head, the chunks in order, and one end`() async throws {
        let server = try LoopbackServer { server in
            server.route(.get, "/", respond: .chunked(["a", "b", "c"], trailers: ["X-T": "1"]))
        }
        let session = SessionManager(transport: try CurlTransport())
        let queue = DispatchQueue(label: "test.stream")
        let heard = Collector<String>()
        for round in 1...50 {
            session.stream(try server.request())
                .onHead(on: queue) { heard.add("head \((try? $0.get().statusCode) ?? 0)") }
                .onChunk(on: queue) {
                    for byte in $0 { heard.add(String(UnicodeScalar(byte))) }
                } completion: {
                    heard.add("end \((try? $0.get()["X-T"]) ?? "-")")
                }
            #expect(await eventually { heard.all.last == "end 1" && heard.count == 5 * round })
        }
        #expect(Array(heard.all.prefix(5)) == ["head 200", "a", "b", "c", "end 1"])
    }

    @Test func `after a cancel on its queue a handler hears nothing but the end`() async throws {
        let server = try LoopbackServer { $0.route(.get, "/", respond: .generated(count: 4 << 20)) }
        let session = SessionManager(transport: try CurlTransport())
        let queue = DispatchQueue(label: "test.stream")
        for _ in 0..<100 {
            let stream = session.stream(try server.request())
            let heard = Collector<String>()
            stream.onChunk(on: queue) { _ in
                heard.add("chunk")
                stream.cancel()
            } completion: {
                if case .failure(.cancelled) = $0 { heard.add("cancelled") } else { heard.add("\($0)") }
            }
            #expect(await eventually { heard.count >= 2 })
            #expect(heard.all == ["chunk", "cancelled"])
        }
    }

    @Test func `cancel races every moment of a stream, and each ends once`() async throws {
        let server = try LoopbackServer { $0.route(.get, "/", respond: .chunked(["a\n", "b\n", "c\n"])) }
        let session = SessionManager(transport: try CurlTransport())
        var random = SeededRandom(seed: 3)
        for _ in 0..<300 {
            let stream = session.stream(try server.request())
            let delay = random.below(400)
            let killer = Task.detached {
                try? await Task.sleep(for: .microseconds(delay))
                stream.cancel()
            }
            var lines: [String] = []
            do {
                for try await line in stream.lines { lines.append(line) }
                #expect(lines == ["a", "b", "c"])
            } catch {
                #expect(ErrorKind(error) == .cancelled)
                #expect(["a", "b", "c"].starts(with: lines))
            }
            await killer.value
        }
        #expect(await eventually { session.activeRequests.isEmpty })
    }
}
