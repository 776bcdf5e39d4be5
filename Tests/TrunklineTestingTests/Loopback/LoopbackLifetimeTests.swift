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
        let connections = 300
        let rounds = 20
        let server = try LoopbackServer { server in
            server.route(.get, "/fixed", respond: .text("fixed"))
            server.route(.post, "/echo/{n}") { .text("\($0["n"] ?? "") \($0.text)") }
        }
        try await onThread {
            let threadsBefore = ProcessFacts.threads()
            let clients = try (0..<connections).map { _ in try RawClient(server) }
            for round in 0..<rounds {
                for (index, client) in clients.enumerated() {
                    if index.isMultiple(of: 2) {
                        try client.get("/fixed")
                    } else {
                        let body = "\(round)"
                        let length = body.utf8.count
                        try client.send(
                            "POST /echo/\(index) HTTP/1.1\r\nHost: t\r\nContent-Length: \(length)\r\n\r\n\(body)")
                    }
                }
                for (index, client) in clients.enumerated() {
                    let expected = index.isMultiple(of: 2) ? "fixed" : "\(index) \(round)"
                    #expect(try client.readAnswer().text == expected)
                }
            }
            #expect(server.openConnections == connections)
            #expect(ProcessFacts.sockets(of: server.port) == connections + 1)
            // Other tests run at the same time; a thread a connection would show all the same.
            if let threadsBefore, let threads = ProcessFacts.threads() {
                #expect(threads - threadsBefore < connections / 2)
            }
        }
        #expect(server.requestCount == connections * rounds)
        #expect(server.connectionCount == connections)
        #expect(await server.waitForConnectionsClosed())
        #expect(ProcessFacts.sockets(of: server.port) == 1)
        server.stop()
        #expect(ProcessFacts.sockets(of: server.port) == 0)
    }

    @Test("Servers come and go without leaving threads or pipes")
    func churn() async throws {
        let servers = 100
        try await onThread {
            let pipesBefore = ProcessFacts.pipes()
            let threadsBefore = ProcessFacts.threads()
            for _ in 0..<servers {
                let server = try LoopbackServer { $0.route(.get, "/x", respond: .text("x")) }
                let client = try RawClient(server)
                try client.get("/x")
                #expect(try client.readAnswer().text == "x")
            }
            // Half of what would be left if every server left one; the rest is room for other tests.
            if let pipesBefore, let pipes = ProcessFacts.pipes() { #expect(pipes - pipesBefore < servers / 2) }
            if let threadsBefore, let threads = ProcessFacts.threads() {
                #expect(threads - threadsBefore < servers / 2)
            }
        }
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

/// What this process has; nil where the system does not say. Tests run side by side, so nothing here is exact but the
/// sockets of a port.
enum ProcessFacts {
    /// How many sockets have this local port: a server's listener and its connections, not their clients.
    static func sockets(of port: Int) -> Int {
        var count = 0
        for descriptor in Int32(0)..<4096 {
            var address = sockaddr_in6()
            var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
            let known = withUnsafeMutablePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
            }
            if known == 0, Int(UInt16(bigEndian: address.sin6_port)) == port { count += 1 }
        }
        return count
    }

    static func threads() -> Int? {
        try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
    }

    static func pipes() -> Int? {
        let directory = "/proc/self/fd"
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: directory) else { return nil }
        let targets = names.compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "\(directory)/\($0)")
        }
        return targets.count { $0.hasPrefix("pipe:") }
    }
}
