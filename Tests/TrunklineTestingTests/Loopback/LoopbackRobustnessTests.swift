import Foundation
import Testing
import TrunklineTesting

@Suite("Loopback server: robustness")
struct LoopbackRobustnessTests {
    @Test(
        "Broken requests are refused with the right status and the connection is closed",
        arguments: [
            ("GET\r\n\r\n", 400),
            ("GET / HTTP/1.1 x\r\nHost: t\r\n\r\n", 400),
            ("G@T / HTTP/1.1\r\nHost: t\r\n\r\n", 400),
            ("GET /é HTTP/1.1\r\nHost: t\r\n\r\n", 400),
            ("GET /a b HTTP/1.1\r\nHost: t\r\n\r\n", 400),
            ("GET / HTTP/2.0\r\nHost: t\r\n\r\n", 505),
            ("GET / HTTP/1.1\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: t\r\nHost: u\r\n\r\n", 400),
            ("GET / HTTP/1.1\nHost: t\n\n", 400),
            ("GET / HTTP/1.1\r\nHost: t\r\nX : y\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: t\r\nX\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: t\r\nX: a\r\n b\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: t\r\nX: a\rb\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: t\r\nX: a\u{0}b\r\n\r\n", 400),
            ("POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 1x\r\n\r\n", 400),
            ("POST / HTTP/1.1\r\nHost: t\r\nContent-Length: -1\r\n\r\n", 400),
            ("POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 99999999999999999999\r\n\r\n", 400),
            ("POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
            ("POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
            ("POST / HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", 501),
            ("POST / HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", 400),
            ("POST / HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n\r\n", 400),
            ("POST / HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFF\r\n", 400),
            ("POST / HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n", 400),
            ("POST / HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nbad trailer\r\n\r\n", 400),
        ])
    func malformed(message: String, status: Int) async throws {
        let server = try LoopbackServer { $0.fallback(respond: .text("fine")) }
        try await onThread {
            let client = try RawClient(server)
            try client.send("\r\nGET /first HTTP/1.1\r\nHost: t\r\n\r\n")
            #expect(try client.readAnswer().text == "fine")
            try client.send(message)
            let answer = try client.readAnswer()
            #expect(answer.status == status)
            #expect(answer.headers["Connection"] == "close")
            #expect(try client.readToEnd() == "")
        }
        #expect(server.requestCount == 1)
        #expect(await server.waitForConnectionsClosed())
    }

    @Test("Heads and bodies over the limit are refused, and the client can read why while it still sends")
    func tooLarge() async throws {
        let server = try LoopbackServer { $0.fallback(respond: .text("fine")) }
        server.options.maximumBodyBytes = 100_000
        try await onThread {
            let line = "X-Filler: \(String(repeating: "x", count: 990))\r\n"
            let fits = try RawClient(server)
            try fits.get("/", headers: String(repeating: line, count: 60))
            #expect(try fits.readAnswer().status == 200)
            for message in [
                "GET / HTTP/1.1\r\nHost: t\r\n" + String(repeating: line, count: 300),
                "GET /" + String(repeating: "x", count: 300_000),
            ] {
                let client = try RawClient(server)
                try client.send(message)
                #expect(try client.readAnswer().status == 431)
                #expect(try client.readToEnd() == "")
            }
            let client = try RawClient(server)
            try client.send("POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 400000\r\n\r\n")
            try client.send(Data(count: 400_000))
            #expect(try client.readAnswer().status == 413)
            #expect(try client.readToEnd() == "")
        }
        #expect(server.completeBodies == 0)
    }

    @Test("Random bytes and sudden ends leave the server well")
    func noise() async throws {
        let server = try LoopbackServer { $0.fallback { .text($0.text) } }
        try await onThread {
            var state: UInt64 = 1
            for round in 0..<300 {
                let client = try RawClient(server)
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                var noise = LoopbackPattern(seed: state).bytes(count: Int(state >> 54))
                if round.isMultiple(of: 2) {
                    noise = Data("POST /x HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n".utf8) + noise
                }
                try? client.send(noise)
                if round.isMultiple(of: 3) { client.finishWriting() }
            }
            let client = try RawClient(server)
            try client.get("/x")
            #expect(try client.readAnswer().status == 200)
        }
        #expect(await server.waitForConnectionsClosed())
    }

    @Test("A client that goes away cancels its handler, and its half request is kept apart")
    func abandoned() async throws {
        let gate = LoopbackGate()
        let cancelled = LoopbackGate()
        let server = try LoopbackServer { server in
            server.route(.get, "/hang") { _ in
                do {
                    try await gate.wait()
                } catch {
                    cancelled.open()
                    throw error
                }
                return .text("late")
            }
            server.route(.post, "/x") { .text($0.text) }
        }
        try await onThread {
            let client = try RawClient(server)
            try client.get("/hang")
            #expect(waitUntil { gate.waiting == 1 })
            client.close()
            let half = try RawClient(server)
            try half.send("POST /x HTTP/1.1\r\nHost: t\r\nContent-Length: 10\r\n\r\nhalf")
        }
        #expect(await eventually { cancelled.isOpen && gate.waiting == 0 })
        // The second connection may not have been accepted when the first has been closed.
        #expect(await eventually { !server.abandonedRequests.isEmpty })
        #expect(await server.waitForConnectionsClosed())
        #expect(server.requests.map(\.path) == ["/hang"])
        #expect(server.abandonedRequests.map(\.text) == ["half"])
        #expect(server.completeBodies == 0)
    }

    @Test("A half-closed client is answered when that is asked for")
    func halfClose() async throws {
        let server = try LoopbackServer { server in
            server.route(.get, "/x") { _ in .text("x").delayed(by: .milliseconds(30)) }
        }
        for allows in [false, true] {
            server.options.allowsHalfClose = allows
            let text = try await onThread {
                let client = try RawClient(server)
                try client.get("/x")
                client.finishWriting()
                return try client.readToEnd()
            }
            #expect(text.hasSuffix("\r\n\r\nx") == allows)
        }
        #expect(await server.waitForConnectionsClosed())
    }

    @Test("Idle connections are closed after the keep-alive timeout, busy ones are not")
    func idle() async throws {
        let server = try LoopbackServer { server in
            server.route(.get, "/slow", respond: .text("slow").delayed(by: .milliseconds(250)))
        }
        server.options.keepAliveTimeout = .milliseconds(80)
        let took = try await onThread {
            let client = try RawClient(server)
            return try ContinuousClock().measure {
                try client.get("/slow")
                #expect(try client.readAnswer().text == "slow")
                let rest = try client.readToEnd()
                #expect(rest == "")
            }
        }
        #expect(took >= .milliseconds(330) && took < .seconds(30))
    }

    @Test("All connections can be closed or reset while the server goes on")
    func closeAll() async throws {
        let server = try LoopbackServer { $0.route(.get, "/x", respond: .text("x")) }
        for reset in [false, true] {
            try await onThread {
                let client = try RawClient(server)
                try client.get("/x")
                #expect(try client.readAnswer().text == "x")
                server.closeConnections(reset: reset)
                if reset {
                    let error = #expect(throws: RawClientError.self) { try client.readToEnd() }
                    #expect(error?.code == ECONNRESET)
                } else {
                    #expect(try client.readToEnd() == "")
                }
            }
        }
        #expect(await server.waitForConnectionsClosed())
    }

    @Test("Records are bounded, and can be switched off")
    func bounds() async throws {
        let server = try LoopbackServer { $0.route(.post, "/x") { .text("\($0.number)") } }
        server.options.recordLimit = 5
        server.options.rawBytesLimit = 100
        try await onThread {
            let client = try RawClient(server)
            for index in 1...23 {
                try client.send("POST /x HTTP/1.1\r\nHost: t\r\nContent-Length: 2\r\n\r\n\(10 + index)")
                #expect(try client.readAnswer().text == "\(index)")
            }
        }
        #expect(server.requests.map(\.text) == ["29", "30", "31", "32", "33"])
        #expect(server.requests.map(\.number) == [19, 20, 21, 22, 23])
        #expect(server.requestCount == 23 && server.requestCount(path: "/x") == 23)
        #expect(server.rawBytes(connection: 1).count == 100)
        server.clearRecord()
        server.recordsRequests = false
        try await onThread {
            let client = try RawClient(server)
            try client.send("POST /x HTTP/1.1\r\nHost: t\r\nContent-Length: 2\r\n\r\nab")
            #expect(try client.readAnswer().text == "1")
        }
        #expect(server.requests.isEmpty && server.rawBytes(connection: 2).isEmpty)
        #expect(server.requestCount == 1)
    }
}
