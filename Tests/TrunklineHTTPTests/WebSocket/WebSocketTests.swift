import Foundation
import Testing
import TrunklineTesting

@testable import TrunklineHTTP

@Suite struct WebSocketTests {
    private static func echo() throws -> LoopbackServer {
        try LoopbackServer { server in
            server.webSocket("/echo") { socket in
                while let message = try await socket.receive() { socket.send(message) }
            }
        }
    }

    private static func session(_ configuration: SessionConfiguration = SessionConfiguration()) throws -> SessionManager
    {
        SessionManager(configuration: configuration, transport: try CurlTransport())
    }

    private static func url(_ server: LoopbackServer, _ path: String) -> String {
        "ws://127.0.0.1:\(server.port)\(path)"
    }

    // MARK: - Messages

    @Test func `messages go both ways and the socket closes in order`() async throws {
        let server = try Self.echo()
        let session = try Self.session()
        let socket = session.webSocket(Self.url(server, "/echo"))
        try await socket.send(.text("Gr\u{FC}\u{DF}e \u{1F600}"))
        try await socket.send(.binary(Data([0, 255, 1])))
        try await socket.send(.text(""))
        var iterator = socket.messages.makeAsyncIterator()
        #expect(try await iterator.next() == .text("Gr\u{FC}\u{DF}e \u{1F600}"))
        #expect(try await iterator.next() == .binary(Data([0, 255, 1])))
        #expect(try await iterator.next() == .text(""))
        #expect(socket.state == .open)
        #expect(socket.closeCode == nil)
        try socket.close(code: WebSocketCloseCode(4001), reason: "done")
        #expect(try await socket.closed() == WebSocketClosure(code: WebSocketCloseCode(4001)))
        #expect(try await iterator.next() == nil)
        #expect(socket.state == .closed)
        #expect(socket.closeCode == WebSocketCloseCode(4001))
        let late = await #expect(throws: HTTPError.self) { try await socket.send(.text("late")) }
        guard case .webSocket(let failure) = late, failure.reason == .closed else {
            Issue.record("\(String(describing: late))")
            return
        }
        #expect(session.activeRequests.isEmpty)
    }

    @Test func `ten thousand messages come back in order`() async throws {
        let server = try Self.echo()
        let session = try Self.session()
        let socket = session.webSocket(Self.url(server, "/echo"))
        try await socket.opened()
        let sender = Task {
            for number in 0..<10_000 { try await socket.send(.text("message \(number)")) }
        }
        var iterator = socket.messages.makeAsyncIterator()
        for number in 0..<10_000 {
            let message = try await iterator.next()
            try #require(message == .text("message \(number)"))
        }
        try await sender.value
        try socket.close()
        #expect(try await socket.closed().code == .normalClosure)
    }

    @Test func `a message of 16 MB comes back whole`() async throws {
        let server = try Self.echo()
        let session = try Self.session()
        let socket = session.webSocket(Self.url(server, "/echo"))
        let data = LoopbackPattern(seed: 9).bytes(count: 16 << 20)
        try await socket.send(.binary(data))
        var iterator = socket.messages.makeAsyncIterator()
        #expect(try await iterator.next() == .binary(data))
    }

    @Test func `messages of many senders stay whole`() async throws {
        let server = try Self.echo()
        let session = try Self.session()
        let socket = session.webSocket(Self.url(server, "/echo"))
        let (senders, each, size) = (8, 40, 30_000)
        let reader = Task {
            var seen: [UInt8: Int] = [:]
            var iterator = socket.messages.makeAsyncIterator()
            for _ in 0..<(senders * each) {
                guard case .binary(let data)? = try await iterator.next(), let first = data.first else { break }
                #expect(data.count == size && data.allSatisfy { $0 == first })
                seen[first, default: 0] += 1
            }
            return seen
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for sender in 0..<senders {
                group.addTask {
                    for _ in 0..<each { try await socket.send(.binary(Data(repeating: UInt8(sender), count: size))) }
                }
            }
            try await group.waitForAll()
        }
        let seen = try await reader.value
        #expect(seen == Dictionary(uniqueKeysWithValues: (0..<senders).map { (UInt8($0), each) }))
    }

    @Test func `a server that takes nothing makes senders wait, and a cancel takes the message back`() async throws {
        let gate = LoopbackGate()
        let counts = Collector<Int>()
        let server = try LoopbackServer { server in
            server.webSocket("/") { socket in
                try await gate.wait()
                while let message = try await socket.receive() { counts.add(message.count) }
            }
        }
        let session = try Self.session()
        let socket = session.webSocket(
            Self.url(server, "/"), options: WebSocketOptions(closeTimeout: .seconds(60)))
        let sent = Protected(0)
        let sender = Task {
            for _ in 0..<2000 {
                try await socket.send(.binary(Data(count: 64 * 1024)))
                sent.withLock { $0 += 1 }
            }
        }
        // It comes to rest far below the 128 MB: socket buffers, the server's inbox and the high water mark.
        var before = -1
        while sent.current != before || before == 0 {
            before = sent.current
            try await Task.sleep(for: .milliseconds(200))
        }
        #expect(before < 1000)
        sender.cancel()
        #expect(ErrorKind(await #expect(throws: HTTPError.self) { try await sender.value }) == .cancelled)
        gate.open()
        try await socket.send(.text("last"))
        try socket.close()
        _ = try await socket.closed()
        // The server answers the close where the frames come in; its handler may be behind.
        #expect(await eventually { counts.all.last == 4 })
        #expect(counts.count == sent.current + 1)
    }

    @Test func `a reader that is slow makes the server wait`() async throws {
        let server = try LoopbackServer { server in
            server.webSocket("/") { socket in
                for _ in 0..<100 { socket.send(.binary(Data(count: 1 << 20))) }
                socket.send(.text("end"))
                while try await socket.receive() != nil {}
            }
        }
        let session = try Self.session()
        let socket = session.webSocket(Self.url(server, "/"))
        try await socket.opened()
        try await Task.sleep(for: .milliseconds(300))
        var count = 0
        for try await message in socket.messages {
            if message == .text("end") { break }
            count += 1
        }
        #expect(count == 100)
    }

    // MARK: - Handshake

    @Test func `the handshake goes through the pipeline, with cookies, and a subprotocol is agreed on`() async throws {
        let server = try LoopbackServer { server in
            server.route(.get, "/login", respond: .status(204).header("Set-Cookie", "sid=7"))
            server.webSocket("/chat", protocols: ["v1", "v2"]) { socket in
                socket.send("\(socket.subprotocol ?? "-") \(socket.request.headers["Cookie"] ?? "-")")
                socket.send("\(socket.request.headers["X-A"] ?? "-") \(socket.request.query("q") ?? "-")")
            }
        }
        let configuration = SessionConfiguration(headers: ["X-A": "1"], cookies: CookieStore())
        let session = try Self.session(configuration)
        _ = try await session.send(try server.request(.get, "/login"))
        let socket = session.webSocket(Self.url(server, "/chat?q=2"), protocols: ["v3", "v2"])
        let response = try await socket.opened()
        #expect(response.statusCode == 101)
        #expect(socket.subprotocol == "v2")
        var messages: [WebSocketMessage] = []
        for try await message in socket.messages { messages.append(message) }
        #expect(messages == [.text("v2 sid=7"), .text("1 2")])
        #expect(socket.closeCode == .normalClosure)
    }

    @Test(arguments: [401, 302, 200, 426])
    func `any other answer is a refusal with its content`(status: Int) async throws {
        let server = try LoopbackServer { server in
            server.route(.get, "/", respond: .json(#"{"why":1}"#, status: status, headers: ["Location": "/other"]))
        }
        let session = try Self.session()
        let socket = session.webSocket(Self.url(server, "/"))
        let error = await #expect(throws: HTTPError.self) { try await socket.opened() }
        guard case .validation(let failure) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(failure.reason == .unacceptableStatus(status))
        #expect(failure.response.data == Data(#"{"why":1}"#.utf8))
        #expect(server.requests.count == 1)
        let later = await #expect(throws: HTTPError.self) { for try await _ in socket.messages {} }
        #expect(later?.response?.statusCode == status)
    }

    @Test func `a server that doesn't answer runs into the limit, and one that isn't there is told`() async throws {
        let server = try LoopbackServer { $0.script([.readRequest, .hold(LoopbackGate())]) }
        let session = try Self.session(SessionConfiguration(timeouts: Timeouts(idle: .milliseconds(200))))
        let silent = session.webSocket(Self.url(server, "/"))
        #expect(ErrorKind(await #expect(throws: HTTPError.self) { try await silent.opened() }) == .idleTimeout)
        let port = server.port
        server.stop()
        let refused = session.webSocket("ws://127.0.0.1:\(port)/")
        #expect(ErrorKind(await #expect(throws: HTTPError.self) { try await refused.opened() }) == .connectionFailed)
        let closing = try LoopbackServer { $0.script([.readRequest, .close]) }
        let lost = session.webSocket(Self.url(closing, "/"))
        #expect(ErrorKind(await #expect(throws: HTTPError.self) { try await lost.opened() }) == .lostBeforeResponse)
    }

    @Test func `transports that can't say so`() async throws {
        for transport in [StubTransport { .stub(for: $0) }, URLSessionTransport()] as [any Transport]
        where !transport.capabilities.features.contains(.webSockets) {
            let socket = SessionManager(transport: transport).webSocket("ws://h/")
            let kept = SessionManager(transport: transport)
            #expect(ErrorKind(await #expect(throws: HTTPError.self) { try await socket.closed() }) != .none)
            let error = await #expect(throws: HTTPError.self) { try await kept.webSocket("ws://h/").opened() }
            #expect(ErrorKind(error) == .unsupported)
        }
        #expect(try CurlTransport().capabilities.features.contains(.webSockets))
    }
}
