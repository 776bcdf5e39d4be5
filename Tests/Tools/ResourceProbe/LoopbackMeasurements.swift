import Foundation
import TestSupport
import TrunklineTesting

/// What loopback servers hold and leave.
enum LoopbackMeasurements {
    /// A hundred servers, one after the other: threads and descriptors that are left.
    static func comeAndGo() throws {
        func useOne() throws {
            let server = try LoopbackServer { $0.route(.get, "/x", respond: .text("x")) }
            let client = try RawClient(server)
            try client.get("/x")
            try Findings.require(try client.readAnswer().text == "x", "a wrong answer")
        }
        // The first ones bring what stays for good, such as the threads of Dispatch.
        for _ in 0..<5 { try useOne() }
        let (threads, descriptors) = (ProcessFacts.threads(), ProcessFacts.descriptors())
        for _ in 0..<100 { try useOne() }
        if let threads, let descriptors {
            // Threads need a moment to end.
            _ = waitUntil(within: .seconds(10)) {
                (ProcessFacts.threads() ?? 0) <= threads && (ProcessFacts.descriptors() ?? 0) <= descriptors
            }
            Findings.report("threads", (ProcessFacts.threads() ?? 0) - threads)
            Findings.report("descriptors", (ProcessFacts.descriptors() ?? 0) - descriptors)
        }
    }

    /// 300 connections, each with twenty requests in turn with the others: threads that came, sockets in the end.
    static func manyConnections() async throws {
        let connections = 300
        let rounds = 20
        let server = try LoopbackServer { server in
            server.route(.get, "/fixed", respond: .text("fixed"))
            server.route(.post, "/echo/{n}") { .text("\($0["n"] ?? "") \($0.text)") }
        }
        let threads = ProcessFacts.threads()
        try await onThread {
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
                    let text = try client.readAnswer().text
                    try Findings.require(text == expected, "\(text) instead of \(expected)")
                }
            }
            Findings.report("open", server.openConnections)
            Findings.report("sockets", ProcessFacts.sockets(of: server.port))
            if let threads { Findings.report("threads", (ProcessFacts.threads() ?? 0) - threads) }
        }
        Findings.report("requests", server.requestCount)
        Findings.report("connections", server.connectionCount)
        try Findings.require(await server.waitForConnectionsClosed(), "connections stay open")
        Findings.report("socketsAfterClients", ProcessFacts.sockets(of: server.port))
        server.stop()
        Findings.report("socketsAfterStop", ProcessFacts.sockets(of: server.port))
    }
}
