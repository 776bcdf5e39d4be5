import Foundation
import Testing
import TrunklineTesting

/// Serialized: these tests count what the process has.
@Suite("Loopback server: lifetime and load", .serialized)
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
            while gate.waiting < 3 || server.requestCount < 4 { usleep(1000) }
            let took = ContinuousClock().measure { server.stop() }
            for client in clients { #expect(try client.readToEnd() == "") }
            let error = #expect(throws: RawClientError.self) { try RawClient(server) }
            #expect(error?.code == ECONNREFUSED)
            server.stop()
            return took
        }
        #expect(took < .seconds(2))
        #expect(await waiter == false)
        #expect(try await eventually { gate.waiting == 0 })
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

    @Test("300 connections at once are served by one thread, and every descriptor comes back")
    func concurrency() async throws {
        let before = ProcessFacts.descriptors()
        let threadsBefore = ProcessFacts.threads()
        let connections = 300
        let rounds = 20
        do {
            let server = try LoopbackServer { server in
                server.route(.get, "/fixed", respond: .text("fixed"))
                server.route(.post, "/echo/{n}") { .text("\($0["n"] ?? "") \($0.text)") }
            }
            let threads = try await onThread {
                let clients = try (0..<connections).map { _ in try RawClient(server) }
                for round in 0..<rounds {
                    for (index, client) in clients.enumerated() {
                        if index.isMultiple(of: 2) {
                            try client.get("/fixed")
                        } else {
                            let body = "\(round)"
                            try client.send(
                                "POST /echo/\(index) HTTP/1.1\r\nHost: t\r\nContent-Length: \(body.count)\r\n\r\n\(body)"
                            )
                        }
                    }
                    for (index, client) in clients.enumerated() {
                        let expected = index.isMultiple(of: 2) ? "fixed" : "\(index) \(round)"
                        #expect(try client.readAnswer().text == expected)
                    }
                }
                #expect(server.openConnections == connections)
                return ProcessFacts.threads()
            }
            #expect(server.requestCount == connections * rounds)
            #expect(server.connectionCount == connections)
            if let threads, let threadsBefore { #expect(threads <= threadsBefore + 24) }
            #expect(await server.waitForConnectionsClosed())
            server.stop()
        }
        if let before {
            #expect(try await eventually { (ProcessFacts.descriptors() ?? 0) <= before })
        }
    }

    @Test("Servers come and go without leaving threads or descriptors")
    func churn() async throws {
        let before = ProcessFacts.descriptors()
        let threadsBefore = ProcessFacts.threads()
        try await onThread {
            for _ in 0..<50 {
                let server = try LoopbackServer { $0.route(.get, "/x", respond: .text("x")) }
                let client = try RawClient(server)
                try client.get("/x")
                #expect(try client.readAnswer().text == "x")
            }
        }
        guard let before, let threadsBefore else { return }
        #expect(try await eventually { (ProcessFacts.descriptors() ?? 0) <= before })
        #expect(try await eventually { (ProcessFacts.threads() ?? 0) <= threadsBefore + 16 })
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

/// What the system says about this process; nil where it does not say.
enum ProcessFacts {
    static func descriptors() -> Int? { count("/proc/self/fd") }
    static func threads() -> Int? { count("/proc/self/task") }

    private static func count(_ directory: String) -> Int? {
        try? FileManager.default.contentsOfDirectory(atPath: directory).count
    }
}
