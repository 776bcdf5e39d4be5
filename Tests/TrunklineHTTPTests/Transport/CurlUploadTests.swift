import Foundation
import Testing
import TrunklineTesting

@testable import TrunklineHTTP

@Suite("The libcurl transport: request bodies")
struct CurlUploadTests {
    private func pattern(_ count: Int) -> Data { LoopbackPattern(seed: 7).bytes(count: count) }

    private func chunks(of data: Data, size: Int) -> RequestBody.Chunks {
        let offset = Protected(0)
        return RequestBody.Chunks(unfolding: {
            offset.withLock { offset in
                guard offset < data.count else { return nil }
                let end = min(data.count, offset + size)
                defer { offset = end }
                return data[offset..<end]
            }
        })
    }

    @Test("A file goes out with its length", arguments: [0, 1, 70_000, 5_000_000])
    func file(_ count: Int) async throws {
        let server = try LoopbackServer { $0.fallback(respond: .status(204)) }
        let data = pattern(count)
        let file = try ScratchFile(data)
        let transport = try CurlTransport()
        let body = try RequestBody.file(file.url, contentType: "image/png")
        let ending = await transport.ending(of: try server.request(.put, body: body))
        #expect(ending.response?.statusCode == 204)
        let received = try #require(server.requests.last)
        #expect(received.body == data)
        #expect(received.headers["Content-Length"] == "\(count)")
        #expect(received.headers["Content-Type"] == "image/png")
        #expect(ending.response?.metrics?.bytesSent == Int64(count))
    }

    @Test("A stream goes out with its length, or chunked", arguments: [1, 999, 300_000], [true, false])
    func stream(_ size: Int, _ isCounted: Bool) async throws {
        let server = try LoopbackServer { $0.fallback(respond: .status(204)) }
        let data = pattern(1_000_000).prefix(size * 3 + 1)
        let transport = try CurlTransport()
        let body = RequestBody.stream(length: isCounted ? Int64(data.count) : nil) { [self] in
            chunks(of: Data(data), size: size)
        }
        let ending = await transport.ending(of: try server.request(.post, body: body))
        #expect(ending.response?.statusCode == 204, "\(String(describing: ending.error))")
        let received = try #require(server.requests.last)
        #expect(received.body == Data(data))
        #expect(received.headers["Content-Length"] == (isCounted ? "\(data.count)" : nil))
        #expect(received.headers["Transfer-Encoding"] == (isCounted ? nil : "chunked"))
    }

    @Test("An empty stream is an empty body", arguments: [Int64?.some(0), nil])
    func emptyStream(_ length: Int64?) async throws {
        let server = try LoopbackServer { $0.fallback(respond: .status(204)) }
        let transport = try CurlTransport()
        let body = RequestBody.stream(length: length) { .init(unfolding: { nil }) }
        #expect(await transport.ending(of: try server.request(.post, body: body)).response?.statusCode == 204)
        #expect(server.requests.last?.bodyCount == 0)
    }

    @Test(
        "A stream of another length than announced fails, and is never a whole request (A13)", arguments: [4, 10, 20])
    func wrongLength(_ given: Int) async throws {
        let announced = given == 10 ? 4 : 10
        for size in [1, 3, 100] {
            let server = try LoopbackServer { $0.fallback(respond: .status(204)) }
            let transport = try CurlTransport()
            let data = pattern(given)
            let body = RequestBody.stream(length: Int64(announced)) { [self] in chunks(of: data, size: size) }
            let ending = await transport.ending(of: try server.request(.post, body: body))
            #expect(ending.kind == .invalidRequest)
            #expect(ending.seconds < 20)
            #expect(await server.waitForConnectionsClosed())
            #expect(server.requestCount == 0)
        }
    }

    @Test("A stream that fails ends the request with its error")
    func failingStream() async throws {
        struct Broken: Error {}
        let server = try LoopbackServer { $0.fallback(respond: .status(204)) }
        let transport = try CurlTransport()
        let late = RequestBody.stream { .init(unfolding: { throw Broken() }) }
        let early = RequestBody.stream { throw Broken() }
        for body in [late, early] {
            let ending = await transport.ending(of: try server.request(.post, body: body))
            guard case .custom(let error) = ending.error else {
                Issue.record("\(ending)")
                return
            }
            #expect(error is Broken)
        }
        #expect(await eventually { server.requestCount == 0 })
    }

    @Test("A file that changed its length since is refused before anything is sent")
    func changedFile() async throws {
        let server = try LoopbackServer { $0.fallback(respond: .status(204)) }
        let file = try ScratchFile(pattern(100))
        let body = try RequestBody.file(file.url)
        try pattern(50).write(to: file.url)
        let transport = try CurlTransport()
        #expect(await transport.ending(of: try server.request(.put, body: body)).kind == .invalidRequest)
        try FileManager.default.removeItem(at: file.url)
        #expect(await transport.ending(of: try server.request(.put, body: body)).kind == .file)
        #expect(server.connectionCount == 0)
    }

    @Test("A slow server holds the producer back: little is made before it is taken")
    func backpressure() async throws {
        let gate = LoopbackGate()
        let server = try LoopbackServer { server in
            server.script([
                .readHead, .stopReading, .hold(gate), .resumeReading, .waitForBody,
                .send("HTTP/1.1 204 No Content\r\n\r\n"),
            ])
        }
        let made = Protected(0)
        let total = 512
        let transport = try CurlTransport()
        let body = RequestBody.stream {
            RequestBody.Chunks(unfolding: {
                made.withLock { made -> Data? in
                    if made == total { return nil }
                    made += 1
                    return Data(count: 64 * 1024)
                }
            })
        }
        let request = try server.request(.post, body: body)
        let task = Task { await transport.ending(of: request) }
        #expect(await server.waitForRequests(1))
        // The sockets' buffers take some megabytes; the rest of the 32 MB has to wait.
        var before = -1
        while before != made.current {
            before = made.current
            try await Task.sleep(for: .milliseconds(100))
        }
        #expect(made.current < total * 3 / 4)
        gate.open()
        #expect(await task.value.response?.statusCode == 204)
        #expect(made.current == total)
    }

    @Test("Cancelling the request cancels the producer")
    func cancel() async throws {
        let server = try LoopbackServer { $0.script([.readHead, .waitForClose]) }
        let (isBegun, isEnded) = (Protected(false), Protected(false))
        let transport = try CurlTransport()
        let body = RequestBody.stream {
            RequestBody.Chunks(unfolding: {
                isBegun.withLock { $0 = true }
                do { try await Task.sleep(for: .seconds(60)) } catch { isEnded.withLock { $0 = true } }
                return nil
            })
        }
        let request = try server.request(.post, body: body)
        let task = Task { await transport.ending(of: request) }
        #expect(await server.waitForRequests(1))
        // The head is there before the producer is asked.
        #expect(await eventually { isBegun.current })
        task.cancel()
        #expect(await task.value.kind == .cancelled)
        #expect(await eventually { isEnded.current })
    }

    @Test("A slow producer is no idle server")
    func slowProducer() async throws {
        let server = try LoopbackServer { $0.fallback { .text($0.text) } }
        let transport = try CurlTransport()
        let body = RequestBody.stream {
            let left = Protected(1)
            return RequestBody.Chunks(unfolding: {
                try await Task.sleep(for: .milliseconds(3500))
                return left.withLock { left in
                    left -= 1
                    return left >= 0 ? Data("x".utf8) : nil
                }
            })
        }
        let ending = await transport.ending(
            of: try server.request(.post, body: body), timeouts: Timeouts(idle: .seconds(3)))
        #expect(ending.text == "x", "\(String(describing: ending.error))")
    }

    @Test("An answer before the body was sent is the answer", arguments: [413, 200])
    func earlyAnswer(_ status: Int) async throws {
        let server = try LoopbackServer { server in
            server.script([
                .readHead, .send("HTTP/1.1 \(status) X\r\nContent-Length: 3\r\nConnection: close\r\n\r\nbig"),
                .wait(.milliseconds(100)), .close,
            ])
        }
        let transport = try CurlTransport()
        for count in [1_000, 20_000_000] {
            let request = try server.request(.post, body: .data(Data(count: count)))
            let ending = await transport.ending(of: request)
            #expect(ending.response?.statusCode == status, "\(count): \(String(describing: ending.error))")
            #expect(ending.text == "big")
            #expect(ending.seconds < 20)
        }
    }

    @Test("An answer of a server that then reads no more ends the exchange, soon")
    func answerWithoutReading() async throws {
        let server = try LoopbackServer { server in
            server.script([
                .readHead, .stopReading, .send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfull"), .wait(.seconds(60)),
            ])
        }
        let transport = try CurlTransport()
        let ending = await transport.ending(of: try server.request(.post, body: .data(Data(count: 50_000_000))))
        #expect(ending.text == "full")
        #expect(ending.seconds < 20)
    }

    @Test("Expect: 100-continue goes out when the policy says so, and a silent server delays by a second at most")
    func expect() async throws {
        let server = try LoopbackServer { $0.fallback { .text($0.text) } }
        var configuration = TransportConfiguration()
        configuration.expectContinue = .forBodies(ofAtLeast: 4)
        let transport = try CurlTransport(configuration: configuration)
        #expect(await transport.ending(of: try server.request(.post, body: .data(Data("abc".utf8)))).text == "abc")
        #expect(server.requests.last?.headers.contains("Expect") == false)
        #expect(await transport.ending(of: try server.request(.post, body: .data(Data("abcd".utf8)))).text == "abcd")
        #expect(server.requests.last?.headers["Expect"] == "100-continue")
        server.options.expectContinue = .ignore
        let seconds = try await best(below: 1.8) {
            let ending = await transport.ending(of: try server.request(.post, body: .data(Data("abcd".utf8))))
            #expect(ending.text == "abcd")
            return ending.seconds
        }
        #expect(seconds < 1.8)
    }

    @Test("Sent bytes are reported, rising, to the whole")
    func progress() async throws {
        let server = try LoopbackServer { $0.fallback(respond: .status(204)) }
        let transport = try CurlTransport()
        let seen = Protected<[TransferProgress]>([])
        let observer = ProgressObserver(sent: { progress in seen.withLock { $0.append(progress) } })
        let file = try ScratchFile(pattern(200_000))
        for body in [RequestBody.data(pattern(200_000)), try .file(file.url)] {
            seen.withLock { $0 = [] }
            _ = await transport.ending(of: try server.request(.put, body: body), progress: observer)
            let values = seen.current
            #expect(values.last == TransferProgress(completed: 200_000, total: 200_000))
            #expect(values.map(\.completed) == values.map(\.completed).sorted())
            #expect(values.count > 1)
        }
    }
}
