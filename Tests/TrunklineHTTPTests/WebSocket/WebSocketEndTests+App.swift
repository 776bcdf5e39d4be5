import Foundation
import Testing
import TrunklineTesting

@testable import TrunklineHTTP

/// Ends by the app: closes, cancels, references that go.
extension WebSocketEndTests {
    @Test func `a close goes out after the messages before it`() async throws {
        let received = Collector<Int>()
        let server = try Self.server { socket in
            while let message = try await socket.receive() { received.add(message.count) }
        }
        let session = try Self.session()
        let socket = session.webSocket(Self.url(server))
        for count in 0..<100 { try await socket.send(.binary(Data(count: count * 1000))) }
        try socket.close()
        try socket.close(code: .goingAway)
        #expect(try await socket.closed().code == .normalClosure)
        #expect(await eventually { received.all == (0..<100).map { $0 * 1000 } })
    }

    @Test func `a server that doesn't answer a close is left after the limit`() async throws {
        let gate = LoopbackGate()
        let server = try Self.server { _ in try await gate.wait() }
        let session = try Self.session()
        let socket = session.webSocket(Self.url(server), options: WebSocketOptions(closeTimeout: .milliseconds(200)))
        try await socket.opened()
        try socket.close()
        #expect(socket.state == .closing)
        #expect(try await socket.closed() == WebSocketClosure(code: nil))
        gate.open()
    }

    @Test func `a close that must not be sent is refused, and changes nothing`() async throws {
        let server = try Self.server { socket in while try await socket.receive() != nil {} }
        let session = try Self.session()
        let socket = session.webSocket(Self.url(server))
        try await socket.opened()
        for code: UInt16 in [0, 999, 1004, 1005, 1006, 1015, 2000, 5000] {
            #expect(throws: HTTPError.self) { try socket.close(code: WebSocketCloseCode(code)) }
        }
        #expect(throws: HTTPError.self) { try socket.close(reason: String(repeating: "\u{E9}", count: 62)) }
        #expect(socket.state == .open)
        try socket.close(reason: String(repeating: "x", count: 123))
        #expect(try await socket.closed().code == .normalClosure)
    }

    @Test func `a cancel wakes everybody`() async throws {
        let gate = LoopbackGate()
        let server = try Self.server { _ in try await gate.wait() }
        let session = try Self.session()
        let socket = session.webSocket(Self.url(server))
        try await socket.opened()
        let tasks = [
            Task { for try await _ in socket.messages {} },
            Task { while true { try await socket.send(.binary(Data(count: 1 << 20))) } },
            Task { _ = try await socket.ping() },
            Task { _ = try await socket.closed() },
        ]
        try await Task.sleep(for: .milliseconds(50))
        socket.cancel()
        for task in tasks {
            #expect(ErrorKind(await #expect(throws: HTTPError.self) { try await task.value }) == .cancelled)
        }
        gate.open()
    }

    @Test(arguments: [true, false])
    func `the session's end is the socket's`(byRelease: Bool) async throws {
        let server = try Self.server { socket in while try await socket.receive() != nil {} }
        var session: SessionManager? = try Self.session()
        let socket = try #require(session?.webSocket(Self.url(server)))
        try await socket.opened()
        let reader = Task { await Self.readAll(socket).1 }
        if byRelease { session = nil } else { session?.invalidate() }
        #expect(ErrorKind(await reader.value) == .sessionInvalidated)
        #expect(ErrorKind(await #expect(throws: HTTPError.self) { try await socket.ping() }) == .sessionInvalidated)
        withExtendedLifetime(session) {}
    }

    @Test func `the last reference gone, the server hears 1001, and thread and descriptors go`() async throws {
        let closures = Collector<WebSocketClosure?>()
        let server = try Self.server { socket in
            while try await socket.receive() != nil {}
            closures.add(socket.closure)
        }
        let transport = try CurlTransport()
        let session = SessionManager(transport: transport)
        var socket: WebSocket? = session.webSocket(Self.url(server))
        try await socket?.opened()
        #expect(transport.sockets.count == 1)
        socket = nil
        #expect(await eventually { closures.all == [WebSocketClosure(code: .goingAway)] })
        #expect(await eventually { transport.sockets.count == 0 && session.activeRequests.isEmpty })
    }

    @Test func `a reader that is cancelled leaves the socket as it is`() async throws {
        let server = try Self.server { socket in
            while let message = try await socket.receive() { socket.send(message) }
        }
        let session = try Self.session()
        let socket = session.webSocket(Self.url(server))
        try await socket.opened()
        let reader = Task { try await socket.messages.first { _ in true } }
        try await Task.sleep(for: .milliseconds(20))
        reader.cancel()
        #expect(ErrorKind(await #expect(throws: HTTPError.self) { try await reader.value }) == .cancelled)
        try await socket.send(.text("a"))
        #expect(try await socket.messages.first { _ in true } == .text("a"))
    }

    @Test func `handlers hear the opening, the messages in order, and one end`() async throws {
        let server = try Self.server { socket in
            for number in 0..<20 { socket.send("\(number)") }
        }
        let session = try Self.session()
        let queue = DispatchQueue(label: "test.socket")
        let heard = Collector<String>()
        session.webSocket(Self.url(server))
            .onOpen(on: queue) { heard.add("open \((try? $0.get().statusCode) ?? 0)") }
            .onMessage(on: queue) {
                if case .text(let text) = $0 { heard.add(text) }
            } completion: {
                heard.add("end \((try? $0.get().code?.description) ?? "-")")
            }
        #expect(await eventually { heard.count == 22 })
        #expect(heard.all == ["open 101"] + (0..<20).map { "\($0)" } + ["end 1000"])
    }
}
