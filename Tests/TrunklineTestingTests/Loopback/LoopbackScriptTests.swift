import Foundation
import Testing
import TrunklineTesting

@Suite("Loopback server: scripts")
struct LoopbackScriptTests {
    @Test("A scripted connection sends the bytes it is told to, and the next one is served")
    func rawBytes() async throws {
        let server = try LoopbackServer { $0.route(.get, "/x", respond: .text("served")) }
        server.script(connection: 1, [.readRequest, .send("HTTP/1.1 200 Fine\r\nBad Header\r\n\r\n"), .close])
        try await onThread {
            let client = try RawClient(server)
            try client.get("/x")
            #expect(try client.readToEnd() == "HTTP/1.1 200 Fine\r\nBad Header\r\n\r\n")
            client.close()
            let next = try RawClient(server)
            try next.get("/x")
            #expect(try next.readAnswer().text == "served")
        }
        #expect(server.requests.map(\.connection) == [1, 2])
    }

    @Test("A script reads requests one by one, and can hand over to the routes")
    func readsRequests() async throws {
        let server = try LoopbackServer { $0.route(.get, "/x", respond: .text("served")) }
        server.script([
            .readHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n"), .waitForBody, .send("1"),
            .readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n2"), .serve,
        ])
        try await onThread {
            let client = try RawClient(server)
            try client.send("POST /a HTTP/1.1\r\nHost: t\r\nContent-Length: 3\r\n\r\n")
            #expect(try client.readLine() == "HTTP/1.1 200 OK")
            #expect(server.requests.map(\.isComplete) == [false])
            try client.send("abc")
            _ = try client.readFields()
            #expect(try client.read(1) == Data("1".utf8))
            #expect(server.requests.map(\.text) == ["abc"])
            try client.send("POST /b HTTP/1.1\r\nHost: t\r\nContent-Length: 3\r\n\r\ndef")
            #expect(try client.readAnswer().text == "2")
            try client.get("/x")
            let last = try client.readAnswer()
            #expect(last.text == "served")
        }
        #expect(server.requests.map(\.path) == ["/a", "/b", "/x"])
        #expect(server.requests.map(\.text) == ["abc", "def", ""])
    }

    @Test("A reset is read as ECONNRESET, a close as the end of input")
    func resetAndClose() async throws {
        let server = try LoopbackServer { server in
            server.route(.get, "/reset", respond: .raw([.send("HTTP/1.1 200 OK\r\n"), .reset]))
            server.route(.get, "/close", respond: .raw([.send("HTTP/1.1 200 OK\r\n"), .close]))
        }
        try await onThread {
            let client = try RawClient(server)
            try client.get("/reset")
            let error = #expect(throws: RawClientError.self) { try client.readToEnd() }
            #expect(error?.code == ECONNRESET)
            let other = try RawClient(server)
            try other.get("/close")
            #expect(try other.readToEnd() == "HTTP/1.1 200 OK\r\n")
        }
        #expect(await server.waitForConnectionsClosed())
        server.script([.readHead, .reset])
        try await onThread {
            let client = try RawClient(server)
            try client.get("/")
            let error = #expect(throws: RawClientError.self) { try client.readToEnd() }
            #expect(error?.code == ECONNRESET)
        }
    }

    @Test("A drip comes byte by byte, each after its interval")
    func drip() async throws {
        let server = try LoopbackServer { server in
            server.route(.get, "/x", respond: .raw([.drip("drip", every: .milliseconds(40)), .close]))
        }
        let times = try await onThread {
            let client = try RawClient(server)
            var times = [ContinuousClock.now]
            try client.get("/x")
            while try client.readByte() != nil { times.append(.now) }
            return times
        }
        let start = try #require(times.first)
        #expect(times.count == 5)
        // A busy machine can make a byte late, never early.
        for (index, time) in times.dropFirst().enumerated() {
            #expect(time - start >= .milliseconds(40) * index)
        }
        #expect(try #require(times.last) - start < .seconds(30))
    }

    @Test("An answer as a script keeps the connection, and waits for the body where it says")
    func rawAnswer() async throws {
        let server = try LoopbackServer { server in
            server.route(
                .post, "/x", options: .respondsEarly,
                respond: .raw([
                    .waitForBodyBytes(4), .send("HTTP/1.1 103 Early Hints\r\n\r\n"), .waitForBody,
                    .wait(.milliseconds(5)),
                    .send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"),
                ]))
        }
        try await onThread {
            let client = try RawClient(server)
            for _ in 0..<2 {
                try client.send("POST /x HTTP/1.1\r\nHost: t\r\nContent-Length: 8\r\n\r\n12")
                try client.send("34")
                #expect(try client.readAnswer().status == 103)
                try client.send("5678")
                #expect(try client.readAnswer().text == "ok")
            }
        }
        #expect(server.connectionCount == 1)
        #expect(server.requests.map(\.text) == ["12345678", "12345678"])
    }

    @Test("A server that stops reading brings the client's upload to a halt, and lets it go on")
    func stopsReading() async throws {
        try await HeavyWork.run { (_: isolated OwnThread) in
            let gate = LoopbackGate()
            let server = try LoopbackServer()
            server.script([
                .readHead, .stopReading, .hold(gate), .resumeReading, .waitForBody,
                .send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"), .waitForClose,
            ])
            let size = 24 << 20
            async let status = onThread {
                let client = try RawClient(server)
                try client.send("PUT /x HTTP/1.1\r\nHost: t\r\nContent-Length: \(size)\r\n\r\n")
                try client.send(Data(count: size))
                return try client.readAnswer().status
            }
            #expect(await eventually { gate.waiting == 1 })
            var last = -1
            // What has been received stops growing; the raw bytes are recorded up to 1 MiB only, so ask the body's count.
            while last != server.rawBytes(connection: 1).count {
                last = server.rawBytes(connection: 1).count
                try await Task.sleep(for: .milliseconds(40))
            }
            #expect(last < 1 << 20)
            #expect(server.completeBodies == 0)
            gate.open()
            #expect(try await status == 200)
            #expect(server.completeBodies == 1)
            #expect(await server.waitForConnectionsClosed())
        }
    }

    @Test("A gate holds requests until enough have come")
    func gate() async throws {
        let gate = LoopbackGate(opensAt: 10)
        let server = try LoopbackServer { server in
            server.route(.get, "/x", respond: .status(401).held(by: gate))
            server.route(.get, "/y") { _ in
                try await gate.wait()
                return .text("passed")
            }
        }
        let statuses = try await onThread {
            let clients = try (0..<10).map { _ in try RawClient(server) }
            for (index, client) in clients.enumerated() {
                try client.get(index.isMultiple(of: 2) ? "/x" : "/y")
                guard index == 8 else { continue }
                // Nine wait; none is answered.
                #expect(waitUntil { gate.waiting == 9 })
                #expect(!gate.isOpen && gate.arrivals == 9)
            }
            return try clients.map { try $0.readAnswer().status }
        }
        #expect(statuses == [401, 200, 401, 200, 401, 200, 401, 200, 401, 200])
        #expect(gate.isOpen && gate.waiting == 0)
    }

    @Test("A script that has ended keeps silent until the client closes")
    func silence() async throws {
        let server = try LoopbackServer()
        server.script([.readHead])
        try await onThread {
            let client = try RawClient(server, timeout: 1)
            try client.get("/")
            let error = #expect(throws: RawClientError.self) { try client.fill() }
            #expect(error?.code == EAGAIN)
            #expect(server.openConnections == 1)
        }
        #expect(await server.waitForConnectionsClosed())
    }
}
