import Foundation
import Testing
import TrunklineTesting

@testable import TrunklineHTTP

@Suite("The libcurl transport: races", .serialized)
struct CurlRaceTests {
    private func server() throws -> LoopbackServer {
        let server = try LoopbackServer { server in
            server.route(.get, "/fast", respond: .text("fast"))
            server.route(.get, "/slow", respond: .text("slow").delayed(by: .milliseconds(3)))
            server.route(.post, "/echo", respond: .text("echo"))
            server.route(.get, "/big", respond: .generated(count: 300_000))
            server.route(
                .get, "/torn", respond: .raw([.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab"), .close]))
        }
        server.recordsRequests = false
        return server
    }

    private func request(_ number: Int, _ server: LoopbackServer) throws -> HTTPRequest {
        switch number % 8 {
        case 0: try server.request(.get, "/slow")
        case 1: try server.request(.post, "/echo", body: .data(Data(count: 100)))
        case 2: try server.request(.post, "/echo", body: .stream { .init(unfolding: once(Data(count: 70_000))) })
        case 3: try server.request(.get, "/big", delivery: .stream)
        case 4: try server.request(.get, "/torn")
        case 5: try server.request(.get, "/big")
        default: try server.request(.get, "/fast")
        }
    }

    /// Sends one request, and reads its stream where it has one; the error where it fails.
    private func run(_ number: Int, _ transport: CurlTransport, _ server: LoopbackServer) async -> ErrorKind {
        do {
            let response = try await transport.send(Exchange(request: request(number, server)))
            if case .stream = response.body { _ = try await collect(response.body) }
            return .none
        } catch {
            return ErrorKind(error)
        }
    }

    @Test("Many requests with random cancellations: each ends once, nothing is left")
    func randomCancelsFuzz() async throws {
        try await HeavyWork.run { (_: isolated OwnThread) in
            let server = try server()
            weak var loop: CurlLoop?
            do {
                let transport = try CurlTransport()
                loop = transport.loop
                let kinds = await randomCancels(transport, server)
                #expect(kinds.values.reduce(0, +) == Self.workers * Self.rounds)
                #expect(Set(kinds.keys).isSubset(of: [.none, .cancelled, .lostDuringBody]))
                #expect(kinds[.none, default: 0] > 0)
                #expect(kinds[.cancelled, default: 0] > 0)
                let pool = transport.loop.pool
                transport.invalidate()
                #expect(await eventually { pool.liveCount == 0 })
            }
            // With the last reference go the thread, its sockets and its wake-up descriptor.
            #expect(await server.waitForConnectionsClosed())
            #expect(await eventually { loop == nil })
        }
    }

    private static let workers = 32
    private static let rounds = max(1, FuzzRounds.count(full: 20_000) / workers)

    private func randomCancels(_ transport: CurlTransport, _ server: LoopbackServer) async -> [ErrorKind: Int] {
        await withTaskGroup(of: [ErrorKind: Int].self) { group in
            for worker in 0..<Self.workers {
                group.addTask {
                    var kinds: [ErrorKind: Int] = [:]
                    for round in 0..<Self.rounds {
                        let task = Task { await self.run(worker * 7 + round, transport, server) }
                        if Int.random(in: 0..<3) == 0 {
                            for _ in 0..<Int.random(in: 0..<20) { await Task.yield() }
                            task.cancel()
                        }
                        kinds[await task.value, default: 0] += 1
                    }
                    return kinds
                }
            }
            return await group.reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) }
        }
    }

    @Test("Invalidation races with everything: each request ends once")
    func invalidationFuzz() async throws {
        try await HeavyWork.run { (_: isolated OwnThread) in
            let server = try server()
            for _ in 0..<FuzzRounds.count(full: 400) {
                let transport = try CurlTransport()
                let kinds = await withTaskGroup(of: ErrorKind.self) { group in
                    for number in 0..<24 { group.addTask { await self.run(number, transport, server) } }
                    group.addTask {
                        for _ in 0..<Int.random(in: 0..<50) { await Task.yield() }
                        transport.invalidate()
                        return .none
                    }
                    return await group.reduce(into: []) { $0.append($1) }
                }
                #expect(kinds.count == 25)
                #expect(Set(kinds).isSubset(of: [.none, .sessionInvalidated, .lostDuringBody]))
            }
        }
    }

    @Test("The thread comes and goes while requests come")
    func retirementFuzz() async throws {
        try await HeavyWork.run { (_: isolated OwnThread) in
            let server = try server()
            var configuration = TransportConfiguration()
            configuration.idleConnectionLifetime = .milliseconds(1)
            let transport = try CurlTransport(configuration: configuration)
            for number in 0..<FuzzRounds.count(full: 2000) {
                #expect(await transport.ending(of: try server.request(.get, "/fast")).text == "fast")
                if number % 2 == 0 { try await Task.sleep(for: .milliseconds(1)) }
            }
        }
    }

    /// In a process of its own: others' threads and descriptors come and go in this one.
    @Test("2,000 requests at once, with few threads and descriptors")
    func atOnce() async throws {
        let found = try await ResourceFindings("transport")
        #expect(found["answered"] == 2000)
        let most = TransportConfiguration().maximumConnectionsPerHost
        #expect(try #require(found["connections"]) <= most)
        if let threads = found["threads"] { #expect(threads <= 8) }
        // Both ends of every connection.
        if let descriptors = found["descriptors"] { #expect(descriptors <= 2 * most + 8) }
    }
}
