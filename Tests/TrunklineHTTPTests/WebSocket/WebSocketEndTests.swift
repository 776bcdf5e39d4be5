import Foundation
import Testing
import TrunklineTesting

@testable import TrunklineHTTP

/// How sockets end, and that they end once.
@Suite struct WebSocketEndTests {
    static func session() throws -> SessionManager { SessionManager(transport: try CurlTransport()) }
    static func url(_ server: LoopbackServer) -> String { "ws://127.0.0.1:\(server.port)/" }

    static func server(
        _ handler: @escaping @Sendable (LoopbackWebSocket) async throws -> Void
    ) throws -> LoopbackServer {
        try LoopbackServer { $0.webSocket("/", handler) }
    }

    /// The messages up to the end, and the end.
    static func readAll(_ socket: WebSocket) async -> ([WebSocketMessage], HTTPError?) {
        var messages: [WebSocketMessage] = []
        do {
            for try await message in socket.messages { messages.append(message) }
            return (messages, nil)
        } catch {
            return (messages, HTTPError(error))
        }
    }

    // MARK: - By the server

    @Test(arguments: [
        (UInt16(1000), ""), (1001, "bye"), (1008, "policy"), (1011, "\u{E9}"), (1013, "later"), (3000, "lib"),
        (4999, "app"),
    ])
    func `a close of the server is told with its code`(code: UInt16, reason: String) async throws {
        let closures = Collector<WebSocketClosure?>()
        let server = try Self.server { socket in
            socket.send("last")
            socket.close(code: WebSocketCloseCode(code), reason: reason)
            while try await socket.receive() != nil {}
            closures.add(socket.closure)
        }
        let session = try Self.session()
        let socket = session.webSocket(Self.url(server))
        let (messages, error) = await Self.readAll(socket)
        #expect(messages == [.text("last")])
        #expect(error == nil)
        #expect(try await socket.closed() == WebSocketClosure(code: WebSocketCloseCode(code), reason: reason))
        // The answer repeats the code.
        #expect(await eventually { closures.all == [WebSocketClosure(code: WebSocketCloseCode(code))] })
    }

    @Test func `a close without a code is told as that`() async throws {
        let server = try Self.server { socket in
            socket.close(code: nil)
            while try await socket.receive() != nil {}
        }
        let socket = try Self.session().webSocket(Self.url(server))
        let session = try Self.session()
        let kept = session.webSocket(Self.url(server))
        #expect(try await kept.closed() == WebSocketClosure(code: .noStatus))
        _ = await Self.readAll(socket)
    }

    @Test(arguments: [
        (Data([0x83, 0x00]), WebSocketCloseCode.protocolError, WebSocketFailure.Reason.protocolViolation),
        (Data([0x88, 0x02, 0x03, 0xED]), .protocolError, .protocolViolation),
        (Data([0x81, 0x02, 0xC3, 0x28]), .invalidPayload, .invalidText),
        (Data([0x82, 0x7F, 0, 0, 0, 0, 0x7F, 0, 0, 0]), .messageTooBig, .messageTooBig),
    ])
    func `a server that breaks a rule is told so, and the app`(
        bytes: Data, code: WebSocketCloseCode, reason: WebSocketFailure.Reason
    ) async throws {
        let closures = Collector<WebSocketClosure?>()
        let server = try Self.server { socket in
            socket.send("good")
            socket.sendRaw(bytes)
            while try await socket.receive() != nil {}
            closures.add(socket.closure)
        }
        let session = try Self.session()
        let socket = session.webSocket(Self.url(server))
        let (messages, error) = await Self.readAll(socket)
        #expect(messages == [.text("good")])
        guard case .webSocket(let failure) = error, failure.reason == reason else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(await eventually { closures.all == [WebSocketClosure(code: code)] })
        #expect(socket.closeCode == nil)
        #expect(socket.state == .closed)
    }

    @Test(arguments: [true, false])
    func `a connection that ends without a close is lost, after the messages before`(reset: Bool) async throws {
        let server = try Self.server { socket in
            // An answer would be read as the rest of the message that has begun.
            socket.answersPings = false
            socket.send("one")
            socket.sendRaw(Data([0x81, 0x05, 0x68]))
            _ = try await socket.receive()
            if reset { socket.run([.reset]) } else { socket.abandon() }
        }
        let session = try Self.session()
        let socket = session.webSocket(Self.url(server))
        var iterator = socket.messages.makeAsyncIterator()
        #expect(try await iterator.next() == .text("one"))
        let ping = Task { try await socket.ping() }
        try await socket.send(.text("go"))
        let (messages, error) = await Self.readAll(socket)
        #expect(messages.isEmpty)
        #expect(ErrorKind(error) == .lostDuringBody, "\(String(describing: error))")
        #expect(ErrorKind(await #expect(throws: HTTPError.self) { try await socket.closed() }) == .lostDuringBody)
        #expect(
            ErrorKind(await #expect(throws: HTTPError.self) { try await socket.send(.text("x")) }) == .lostDuringBody)
        await #expect(throws: HTTPError.self) { try await ping.value }
    }

    // MARK: - Pings

    @Test func `pings are measured, in order, and the server's are answered`() async throws {
        let pongs = Collector<[Data]>()
        let server = try Self.server { socket in
            socket.ping(Data("are you there".utf8))
            socket.ping()
            while try await socket.receive() != nil {}
            pongs.add(socket.pongs)
        }
        let session = try Self.session()
        let socket = session.webSocket(Self.url(server))
        #expect(try await socket.ping() > .zero)
        try await withThrowingTaskGroup(of: Duration.self) { group in
            for _ in 0..<50 { group.addTask { try await socket.ping() } }
            for try await time in group { #expect(time > .zero) }
        }
        try socket.close()
        try await socket.closed()
        #expect(await eventually { pongs.all == [[Data("are you there".utf8), Data()]] })
    }

    @Test func `a ping that is not answered can be given up, and keep-alive notices it`() async throws {
        let server = try Self.server { socket in
            socket.answersPings = false
            while try await socket.receive() != nil {}
        }
        let session = try Self.session()
        let patient = session.webSocket(Self.url(server))
        try await patient.opened()
        let ping = Task { try await patient.ping() }
        try await Task.sleep(for: .milliseconds(20))
        ping.cancel()
        #expect(ErrorKind(await #expect(throws: HTTPError.self) { try await ping.value }) == .cancelled)
        #expect(patient.state == .open)
        let options = WebSocketOptions(
            keepAlive: .init(interval: .milliseconds(100), timeout: .milliseconds(200)))
        let watchful = session.webSocket(Self.url(server), options: options)
        let error = await #expect(throws: HTTPError.self) { try await watchful.closed() }
        #expect(ErrorKind(error) == .idleTimeout)
    }

    @Test func `keep-alive lets a silent but living connection be`() async throws {
        let server = try Self.server { socket in while try await socket.receive() != nil {} }
        let session = try Self.session()
        let options = WebSocketOptions(keepAlive: .init(interval: .milliseconds(30), timeout: .seconds(60)))
        let socket = session.webSocket(Self.url(server), options: options)
        try await socket.opened()
        try await Task.sleep(for: .milliseconds(400))
        #expect(socket.state == .open)
        try socket.close()
        #expect(try await socket.closed().code == .normalClosure)
    }

    // MARK: - Races

    @Test func `closes and cancels race everything, and each socket ends once`() async throws {
        let server = try Self.server { socket in
            while let message = try await socket.receive() {
                socket.send(message)
                if message == .text("bye") { socket.close(code: .goingAway) }
            }
        }
        let transport = try CurlTransport()
        let session = SessionManager(transport: transport)
        var random = SeededRandom(seed: 21)
        for round in 0..<(Sanitizer.isThread ? 60 : 200) {
            let ends = Collector<Result<WebSocketClosure, HTTPError>>()
            let socket = session.webSocket(Self.url(server))
            socket.onMessage(on: .global()) { _ in
            } completion: {
                ends.add($0)
            }
            let delays = (0..<4).map { _ in random.below(1500) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    for number in 0..<5 { try? await socket.send(.text("\(number)")) }
                    if round % 2 == 0 { try? await socket.send(.text("bye")) }
                }
                group.addTask { _ = try? await socket.ping() }
                group.addTask {
                    try? await Task.sleep(for: .microseconds(delays[0]))
                    try? socket.close()
                }
                group.addTask {
                    try? await Task.sleep(for: .microseconds(delays[1]))
                    if round % 3 == 0 { socket.cancel() }
                }
                try await group.waitForAll()
            }
            try? socket.close()
            _ = try? await socket.closed()
            #expect(await eventually { ends.count == 1 })
            if case .failure(let error) = ends.all.first { #expect(ErrorKind(error) == .cancelled) }
        }
        #expect(await eventually { session.activeRequests.isEmpty && transport.sockets.count == 0 })
    }

    @Test func `a cancel before, in and after the handshake`() async throws {
        let server = try Self.server { socket in while try await socket.receive() != nil {} }
        let transport = try CurlTransport()
        let session = SessionManager(transport: transport)
        var random = SeededRandom(seed: 4)
        for _ in 0..<100 {
            let socket = session.webSocket(Self.url(server))
            let delay = random.below(1200)
            let killer = Task.detached {
                try? await Task.sleep(for: .microseconds(delay))
                socket.cancel()
            }
            let error = await #expect(throws: HTTPError.self) { try await socket.closed() }
            #expect(ErrorKind(error) == .cancelled)
            await killer.value
        }
        #expect(await eventually { transport.sockets.count == 0 && session.activeRequests.isEmpty })
    }
}
