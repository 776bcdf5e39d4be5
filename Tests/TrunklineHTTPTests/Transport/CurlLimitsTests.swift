import Foundation
import Testing
import TrunklineTesting

@testable import TrunklineHTTP

@Suite("The libcurl transport: limits of time, cancellation, invalidation")
struct CurlLimitsTests {
    private static let ok = "HTTP/1.1 200 OK\r\n"

    @Test("A drip within the idle limit is no timeout; a late head is (A38)")
    func idle() async throws {
        let server = try LoopbackServer { server in
            server.script(
                connection: 1,
                [
                    .readRequest, .send(Self.ok + "Content-Length: 10\r\n\r\n"),
                    .drip("0123456789", every: .milliseconds(200)), .close,
                ])
            server.script([.readRequest, .wait(.seconds(60)), .send(Self.ok + "Content-Length: 0\r\n\r\n")])
        }
        let transport = try CurlTransport()
        let timeouts = Timeouts(connect: .seconds(60), idle: .seconds(1))
        let drip = await transport.ending(of: try server.request(), timeouts: timeouts)
        #expect(drip.text == "0123456789")
        let late = await transport.ending(of: try server.request(), timeouts: timeouts)
        #expect(late.kind == .idleTimeout)
        #expect((0.95..<20).contains(late.seconds))
        #expect(await server.waitForConnectionsClosed())
    }

    @Test("No limit, no timeout")
    func noLimits() async throws {
        let server = try LoopbackServer { $0.fallback(respond: .text("x").delayed(by: .milliseconds(300))) }
        let transport = try CurlTransport()
        let ending = await transport.ending(of: try server.request(), timeouts: Timeouts(connect: nil, idle: nil))
        #expect(ending.text == "x")
    }

    @Test("A connection that isn't accepted runs into the connect limit, which is finer than a second")
    func connect() async throws {
        let listener = try FullListener()
        let transport = try CurlTransport()
        let timeouts = Timeouts(connect: .milliseconds(300), idle: .seconds(60))
        let seconds = await best(below: 0.9) {
            let ending = await transport.ending(of: HTTPRequest(url: listener.url), timeouts: timeouts)
            #expect(ending.kind == .connectTimeout)
            return ending.seconds
        }
        #expect((0.25..<0.9).contains(seconds))
        let idleOnly = await transport.ending(
            of: HTTPRequest(url: listener.url), timeouts: Timeouts(connect: nil, idle: .milliseconds(200)))
        #expect(idleOnly.kind == .idleTimeout)
    }

    @Test("Limits of many requests are kept apart")
    func manyLimits() async throws {
        let server = try LoopbackServer { $0.script([.readRequest, .waitForClose]) }
        let transport = try CurlTransport()
        let request = try server.request()
        let ended = Collector<Int>()
        await withTaskGroup(of: Void.self) { group in
            for tenths in [14, 2, 20, 8] {
                group.addTask {
                    let limit = Timeouts(idle: .milliseconds(tenths * 100))
                    let ending = await transport.ending(of: request, timeouts: limit)
                    #expect(ending.kind == .idleTimeout)
                    #expect(ending.seconds > Double(tenths) / 10 - 0.02)
                    ended.add(tenths)
                }
            }
        }
        #expect(ended.all == [2, 8, 14, 20])
    }

    @Test("Cancelling ends the exchange at once and closes the connection")
    func cancel() async throws {
        let server = try LoopbackServer { $0.script([.readRequest, .waitForClose]) }
        let transport = try CurlTransport()
        let request = try server.request()
        let task = Task { await transport.ending(of: request) }
        #expect(await server.waitForRequests(1))
        let start = ContinuousClock.now
        task.cancel()
        #expect(await task.value.kind == .cancelled)
        #expect(ContinuousClock.now - start < .seconds(20))
        #expect(await server.waitForConnectionsClosed())
    }

    @Test("A task that is cancelled already opens no connection", arguments: [false, true])
    func cancelledBefore(_ isRunning: Bool) async throws {
        let server = try LoopbackServer { $0.fallback(respond: .text("x")) }
        let transport = try CurlTransport()
        if isRunning { _ = try await transport.send(Exchange(request: server.request(.get, "/first"))) }
        let request = try server.request(.get, "/second")
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return await transport.ending(of: request)
        }
        task.cancel()
        #expect(await task.value.kind == .cancelled)
        _ = try await transport.send(Exchange(request: server.request(.get, "/third")))
        #expect(server.requestCount(path: "/second") == 0)
    }

    @Test("Cancelling one that waits for its turn leaves the others alone")
    func cancelWaiting() async throws {
        let gate = LoopbackGate()
        let server = try LoopbackServer { $0.fallback(respond: .text("x").held(by: gate)) }
        var configuration = TransportConfiguration()
        configuration.maximumConnectionsPerHost = 1
        let transport = try CurlTransport(configuration: configuration)
        let request = try server.request()
        let first = Task { await transport.ending(of: request) }
        #expect(await server.waitForRequests(1))
        let others = (0..<200).map { _ in Task { await transport.ending(of: request) } }
        for task in others.dropLast(2) { task.cancel() }
        for task in others.dropLast(2) { #expect(await task.value.kind == .cancelled) }
        gate.open()
        #expect(await first.value.text == "x")
        for task in others.suffix(2) { #expect(await task.value.text == "x") }
        #expect(server.connectionCount == 1)
    }

    @Test("Invalidation ends everything in flight and refuses the rest, once each")
    func invalidate() async throws {
        let server = try LoopbackServer { $0.script([.readRequest, .waitForClose]) }
        var configuration = TransportConfiguration()
        configuration.maximumConnectionsPerHost = 3
        let transport = try CurlTransport(configuration: configuration)
        let request = try server.request()
        let tasks = (0..<10).map { _ in Task { await transport.ending(of: request) } }
        #expect(await server.waitForRequests(3))
        transport.invalidate()
        transport.invalidate()
        for task in tasks { #expect(await task.value.kind == .sessionInvalidated) }
        #expect(await transport.ending(of: request).kind == .sessionInvalidated)
        #expect(await server.waitForConnectionsClosed())
    }

    @Test("A released transport leaves neither thread nor connection")
    func release() async throws {
        let server = try LoopbackServer { $0.fallback(respond: .text("x")) }
        do {
            let transport = try CurlTransport()
            _ = try await transport.send(Exchange(request: server.request()))
            #expect(await eventually { server.openConnections == 1 })
        }
        #expect(await server.waitForConnectionsClosed())
    }

    @Test("Connections are closed after a while without work, and the next request goes on")
    func idleLifetime() async throws {
        let server = try LoopbackServer { $0.fallback(respond: .text("x")) }
        var configuration = TransportConfiguration()
        configuration.idleConnectionLifetime = .milliseconds(100)
        let transport = try CurlTransport(configuration: configuration)
        for round in 1...3 {
            #expect(await transport.ending(of: try server.request()).text == "x")
            #expect(await server.waitForConnectionsClosed())
            #expect(server.connectionCount == round)
        }
    }
}

/// A listener that accepts nothing and whose queue is full: connections to it hang.
final class FullListener: Sendable {
    let url: URL
    private let sockets: [Int32]

    init() throws {
        let kind = Int32(SOCK_STREAM.rawValue)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = socket(AF_INET, kind, 0)
        var sockets = [listener]
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 0) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        try #require(isListening)
        for _ in 0..<4 {
            let client = socket(AF_INET, kind | Int32(SOCK_NONBLOCK.rawValue), 0)
            withUnsafePointer(to: address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = connect(client, $0, length) }
            }
            sockets.append(client)
        }
        self.sockets = sockets
        url = try #require(URL(string: "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/"))
    }

    deinit { for socket in sockets { close(socket) } }
}
