import Foundation
import Testing
import TrunklineTesting

@testable import TrunklineHTTP

@Suite("The libcurl transport: response bodies")
struct CurlDownloadTests {
    private static let ok = "HTTP/1.1 200 OK\r\n"

    @Test("Bodies of every size arrive whole, with a length or chunked", arguments: [0, 1, 14, 15, 16_384, 3_000_000])
    func data(_ count: Int) async throws {
        let expected = LoopbackPattern(seed: 3).bytes(count: count)
        let server = try LoopbackServer { server in
            server.route(.get, "/length", respond: .generated(count: Int64(count), seed: 3))
            server.route(.get, "/chunked", respond: .chunked([expected]))
            server.route(.get, "/close", respond: LoopbackResponse(body: .untilClose(expected)))
        }
        let transport = try CurlTransport()
        for path in ["/length", "/chunked", "/close"] {
            let response = try await transport.send(Exchange(request: server.request(.get, path)))
            #expect(response.data == expected)
            #expect(response.metrics?.bytesReceived == Int64(count))
        }
    }

    @Test("A body goes straight to its file, which is emptied first")
    func file() async throws {
        let server = try LoopbackServer { server in
            server.route(.get, "/", respond: .generated(count: 2_000_000, seed: 3))
            server.route(.get, "/none", respond: .status(204))
        }
        let file = try ScratchFile(Data(count: 3_000_000))
        let transport = try CurlTransport()
        let response = try await transport.send(Exchange(request: server.request(delivery: .file(file.url))))
        guard case .file(let url) = response.body else {
            Issue.record("\(response.body)")
            return
        }
        #expect(url == file.url)
        #expect(file.data == LoopbackPattern(seed: 3).bytes(count: 2_000_000))
        _ = try await transport.send(Exchange(request: server.request(.get, "/none", delivery: .file(file.url))))
        #expect(file.data == Data())
    }

    @Test("A file that can't be written is an error of its own, and nothing is sent")
    func unwritableFile() async throws {
        let server = try LoopbackServer { $0.fallback(respond: .text("x")) }
        let transport = try CurlTransport()
        let url = URL(fileURLWithPath: "/nowhere/at/all")
        #expect(await transport.ending(of: try server.request(delivery: .file(url))).kind == .file)
        let web = try #require(URL(string: "http://h/x"))
        #expect(await transport.ending(of: try server.request(delivery: .file(web))).kind == .file)
        #expect(server.connectionCount == 0)
    }

    @Test("A full disk is a file error")
    func fullDisk() async throws {
        guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
        let server = try LoopbackServer { $0.route(.get, "/", respond: .generated(count: 1_000_000)) }
        let transport = try CurlTransport()
        let ending = await transport.ending(
            of: try server.request(delivery: .file(URL(fileURLWithPath: "/dev/full"))))
        guard case .file(let failure) = ending.error else {
            Issue.record("\(ending)")
            return
        }
        #expect(failure.operation == .write)
    }

    @Test("What arrived of a file that was cut short stays there")
    func truncatedFile() async throws {
        let server = try LoopbackServer { server in
            server.script([.readRequest, .send(Self.ok + "Content-Length: 100\r\n\r\nhello"), .close])
        }
        let file = try ScratchFile()
        let transport = try CurlTransport()
        let ending = await transport.ending(of: try server.request(delivery: .file(file.url)))
        #expect(ending.kind == .lostDuringBody)
        #expect(ending.error?.response?.statusCode == 200)
        #expect(file.data == Data("hello".utf8))
    }

    @Test("A streamed response comes with its head, and its chunks as they arrive")
    func stream() async throws {
        let gate = LoopbackGate()
        let server = try LoopbackServer { server in
            server.script([
                .readRequest, .send(Self.ok + "X-A: 1\r\nContent-Length: 10\r\n\r\nhello"), .hold(gate), .send("world"),
            ])
        }
        let transport = try CurlTransport()
        let response = try await transport.send(Exchange(request: server.request(delivery: .stream)))
        #expect(response.headers["X-A"] == "1")
        #expect(response.metrics?.networkProtocol == "http/1.1")
        guard case .stream(let chunks) = response.body else {
            Issue.record("\(response.body)")
            return
        }
        var iterator = chunks.makeAsyncIterator()
        #expect(try await iterator.next() == Data("hello".utf8))
        gate.open()
        #expect(try await iterator.next() == Data("world".utf8))
        #expect(try await iterator.next() == nil)
        #expect(try await iterator.next() == nil)
    }

    @Test("A stream without content ends at once", arguments: [204, 200])
    func emptyStream(_ status: Int) async throws {
        let server = try LoopbackServer { $0.fallback(respond: .status(status)) }
        let transport = try CurlTransport()
        let response = try await transport.send(Exchange(request: server.request(delivery: .stream)))
        #expect(response.statusCode == status)
        #expect(try await collect(response.body).isEmpty)
    }

    @Test("A stream that is cut short ends with the error")
    func truncatedStream() async throws {
        let server = try LoopbackServer { server in
            server.script([.readRequest, .send(Self.ok + "Content-Length: 100\r\n\r\nhello"), .close])
        }
        let transport = try CurlTransport()
        let response = try await transport.send(Exchange(request: server.request(delivery: .stream)))
        await #expect { try await collect(response.body) } throws: { ErrorKind($0) == .lostDuringBody }
    }

    @Test("A failure before the head is thrown, not streamed")
    func failingStream() async throws {
        let server = try LoopbackServer { $0.script([.readRequest, .close]) }
        let transport = try CurlTransport()
        #expect(await transport.ending(of: try server.request(delivery: .stream)).kind == .lostBeforeResponse)
    }

    @Test("A big stream arrives whole, and a slow reader slows the server down")
    func backpressure() async throws {
        try await HeavyWork.run { (_: isolated OwnThread) in
            let count: Int64 = 64 << 20
            let server = try LoopbackServer { $0.route(.get, "/", respond: .generated(count: count, seed: 5)) }
            let transport = try CurlTransport()
            let request = try server.request(delivery: .stream)
            let taken = Protected<Int64>(0)
            let observer = ProgressObserver(received: { progress in taken.withLock { $0 = progress.completed } })
            let timeouts = Timeouts(idle: .seconds(1))
            let response = try await transport.send(
                Exchange(request: request, timeouts: timeouts, progress: observer))
            // The server could have sent all of it by now, and the idle limit run out: the transfer waits instead.
            try await Task.sleep(for: .milliseconds(1500))
            #expect(taken.current > 0)
            #expect(taken.current < 1 << 20)
            guard case .stream(let chunks) = response.body else { return }
            let pattern = LoopbackPattern(seed: 5)
            var received: Int64 = 0
            var isEqual = true
            for try await chunk in chunks {
                isEqual = isEqual && chunk == pattern.bytes(from: received, count: chunk.count)
                received += Int64(chunk.count)
            }
            #expect(received == count)
            #expect(isEqual)
        }
    }

    @Test("Letting a stream go closes the connection")
    func dropStream() async throws {
        let server = try LoopbackServer { $0.route(.get, "/", respond: .generated(count: 64 << 20)) }
        let transport = try CurlTransport()
        do {
            let response = try await transport.send(Exchange(request: server.request(delivery: .stream)))
            guard case .stream(let chunks) = response.body else { return }
            for try await chunk in chunks where !chunk.isEmpty { break }
        }
        #expect(await server.waitForConnectionsClosed())
        do {
            _ = try await transport.send(Exchange(request: server.request(delivery: .stream)))
        }
        #expect(await server.waitForConnectionsClosed())
    }

    @Test("Cancelling the reader ends its stream with the cancellation")
    func cancelReader() async throws {
        let server = try LoopbackServer { server in
            server.script([.readRequest, .send(Self.ok + "Content-Length: 10\r\n\r\nhello"), .waitForClose])
        }
        let transport = try CurlTransport()
        let response = try await transport.send(Exchange(request: server.request(delivery: .stream)))
        guard case .stream(let chunks) = response.body else { return }
        let started = Protected(false)
        let task = Task {
            for try await chunk in chunks where !chunk.isEmpty { started.withLock { $0 = true } }
            return Task.isCancelled
        }
        #expect(await eventually { started.current })
        task.cancel()
        // The stream ends: with the cancellation, or as streams of a cancelled task do, without.
        switch await task.result {
        case .success(let isCancelled): #expect(isCancelled)
        case .failure(let error): #expect(ErrorKind(error) == .cancelled)
        }
        #expect(await server.waitForConnectionsClosed())
    }

    @Test("Silence in a stream is the idle limit's business; invalidation ends it too")
    func streamEndings() async throws {
        let server = try LoopbackServer { server in
            server.script([.readRequest, .send(Self.ok + "Content-Length: 10\r\n\r\nhello"), .waitForClose])
        }
        let transport = try CurlTransport()
        let request = try server.request(delivery: .stream)
        let short = Timeouts(idle: .milliseconds(200))
        let first = try await transport.send(Exchange(request: request, timeouts: short))
        await #expect { try await collect(first.body) } throws: { ErrorKind($0) == .idleTimeout }
        let second = try await transport.send(Exchange(request: request))
        transport.invalidate()
        await #expect { try await collect(second.body) } throws: { ErrorKind($0) == .sessionInvalidated }
    }

    @Test("Received bytes are reported: with a total where one is known, rising, to the whole (A37)")
    func progress() async throws {
        let server = try LoopbackServer { server in
            server.route(.get, "/length", respond: .generated(count: 500_000))
            server.route(.get, "/chunked", respond: .chunked(["hello"]))
            server.route(.get, "/empty", respond: .status(200))
        }
        let transport = try CurlTransport()
        let seen = Protected<[TransferProgress]>([])
        let observer = ProgressObserver(received: { progress in seen.withLock { $0.append(progress) } })
        for (path, count, total) in [("/length", 500_000, Int64(500_000)), ("/chunked", 5, nil), ("/empty", 0, nil)] {
            seen.withLock { $0 = [] }
            let ending = await transport.ending(of: try server.request(.get, path), progress: observer)
            #expect(ending.kind == .none)
            let values = seen.current
            #expect(values.map(\.completed) == values.map(\.completed).sorted())
            #expect(values.allSatisfy { $0.total == total })
            if count > 0 { #expect(values.last?.completed == Int64(count)) }
        }
    }

    @Test("The limit on content ends the exchange")
    func bodyLimit() async throws {
        let server = try LoopbackServer {
            $0.route(.get, "/{count}") { .generated(count: Int64($0["count"] ?? "") ?? 0) }
        }
        var configuration = TransportConfiguration()
        configuration.maximumBodyBytes = 1000
        let transport = try CurlTransport(configuration: configuration)
        #expect(await transport.ending(of: try server.request(.get, "/1000")).response?.data.count == 1000)
        #expect(await transport.ending(of: try server.request(.get, "/1001")).kind == .invalidResponse)
    }
}
