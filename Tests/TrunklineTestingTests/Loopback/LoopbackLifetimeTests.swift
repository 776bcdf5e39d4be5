import Foundation
import Testing
import TrunklineTesting

@Suite("Loopback server: lifetime and load")
struct LoopbackLifetimeTests {
    @Test("Stop ends open connections and waits promptly, more than once, and frees the port")
    func stop() async throws {
        let gate = LoopbackGate()
        let server = try LoopbackServer { server in
            server.route(.get, "/hang") { _ in
                try await gate.wait()
                return .text("late")
            }
            server.route(.get, "/held", respond: .text("late").held(by: gate))
            server.route(.get, "/slow", respond: .text("late").delayed(by: .seconds(60)))
        }
        async let waiter = server.waitForRequests(100, timeout: .seconds(60))
        let took = try await onThread {
            let clients = try ["/hang", "/held", "/slow", "/hang"].map { path in
                let client = try RawClient(server)
                try client.get(path)
                return client
            }
            #expect(waitUntil { gate.waiting == 3 && server.requestCount == 4 })
            let took = ContinuousClock().measure { server.stop() }
            for client in clients { #expect(try client.readToEnd() == "") }
            let error = #expect(throws: RawClientError.self) { try RawClient(server) }
            #expect(error?.code == ECONNREFUSED)
            server.stop()
            return took
        }
        // The slow answer would take a minute.
        #expect(took < .seconds(20))
        #expect(await waiter == false)
        #expect(await eventually { gate.waiting == 0 })
        #expect(server.openConnections == 0 && server.requests.count == 4)
        #expect(await server.waitForRequests(4) == true)
        #expect(await server.waitForRequests(5) == false)
    }

    @Test("A released server stops; a stopped one lets go of handlers that capture it")
    func release() async throws {
        weak var released: LoopbackServer?
        let port: Int
        do {
            let server = try LoopbackServer()
            server.route(.get, "/x") { [weak server] _ in .text("\(server?.port ?? 0)") }
            released = server
            port = server.port
        }
        #expect(released == nil)
        #expect(port > 0)
        weak var cyclic: LoopbackServer?
        do {
            let server = try LoopbackServer()
            server.route(.get, "/x") { _ in .text("\(server.port)") }
            cyclic = server
            server.stop()
        }
        #expect(cyclic == nil)
    }

    /// In a process of its own: others' threads and sockets come and go in this one.
    @Test("300 connections at once are served by one thread, and every descriptor comes back")
    func concurrency() async throws {
        let found = try await ResourceFindings("connections")
        #expect(found["open"] == 300 && found["connections"] == 300 && found["requests"] == 6000)
        // The listener is one of them.
        #expect(found["sockets"] == 301)
        #expect(found["socketsAfterClients"] == 1)
        #expect(found["socketsAfterStop"] == 0)
        // The handlers' pool grows to the number of cores; a thread a connection would show.
        if let threads = found["threads"] { #expect(threads < 100) }
    }

    /// In a process of its own, as above.
    @Test("Servers come and go without leaving threads or descriptors")
    func churn() async throws {
        let found = try await ResourceFindings("servers")
        // After a hundred servers; the system's own threads may be a few more or fewer.
        if let threads = found["threads"] { #expect(threads < 20) }
        if let descriptors = found["descriptors"] { #expect(descriptors < 20) }
    }

    @Test("A server listens on the IPv6 loopback too, and a wrong host is refused with a reason")
    func hosts() throws {
        let error = #expect(throws: LoopbackError.self) { try LoopbackServer(host: "localhost") }
        #expect(error?.description.contains("localhost") == true)
        if let server = try? LoopbackServer(host: "::1") {
            #expect(server.baseURL.absoluteString == "http://[::1]:\(server.port)")
        }
        let server = try LoopbackServer()
        #expect(server.baseURL.absoluteString == "http://127.0.0.1:\(server.port)")
        #expect(server.url("/a?b=c")?.absoluteString == "http://127.0.0.1:\(server.port)/a?b=c")
    }
}
