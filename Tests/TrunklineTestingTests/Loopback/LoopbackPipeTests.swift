import Foundation
import Testing
import TrunklineTesting

@Suite("Loopback server: pipes")
struct LoopbackPipeTests {
    @Test("After an upgrade the handler has the bytes of both ways, and closes by returning")
    func echo() async throws {
        let server = try LoopbackServer { server in
            server.route(.get, "/echo") { _ in
                .pipe(status: 101, headers: ["Connection": "Upgrade", "Upgrade": "echo"]) { pipe in
                    var text = ""
                    while let data = await pipe.receive() {
                        text += String(decoding: data, as: UTF8.self)
                        pipe.send(data)
                        if text.hasSuffix("bye") { break }
                    }
                    pipe.send(" closing")
                }
            }
        }
        let rest = try await onThread {
            let client = try RawClient(server)
            // Bytes that came with the request are not lost.
            try client.get("/echo", headers: "Connection: Upgrade\r\nUpgrade: echo\r\n")
            try client.send("one")
            let answer = try client.readAnswer()
            #expect(answer.status == 101 && answer.headers == ["Connection": "Upgrade", "Upgrade": "echo"])
            #expect(try client.read(3) == Data("one".utf8))
            try client.send("bye")
            return try client.readToEnd()
        }
        #expect(rest == "bye closing")
        #expect(await server.waitForConnectionsClosed())
    }

    @Test("A client that closes ends the handler's input and cancels it")
    func clientCloses() async throws {
        let seen = LoopbackGate()
        let server = try LoopbackServer { server in
            server.route(.get, "/x") { _ in
                .pipe { pipe in
                    pipe.send("ready")
                    while await pipe.receive() != nil {}
                    if Task.isCancelled { seen.open() }
                }
            }
        }
        try await onThread {
            let client = try RawClient(server)
            try client.get("/x")
            #expect(try client.readLine() == "HTTP/1.1 200 OK")
            #expect(try client.readFields() == [:])
            #expect(try client.read(5) == Data("ready".utf8))
        }
        #expect(await server.waitForConnectionsClosed())
        #expect(await eventually { seen.isOpen })
    }

    @Test("A handler that takes nothing holds the client back, and loses nothing")
    func backpressure() async throws {
        try await HeavyWork.run { (_: isolated OwnThread) in
            let gate = LoopbackGate()
            let size = 12 << 20
            let server = try LoopbackServer { server in
                server.route(.get, "/x") { _ in
                    .pipe { pipe in
                        try await gate.wait()
                        var sum = LoopbackChecksum()
                        while sum.count < size, let data = await pipe.receive() { sum.update(data) }
                        pipe.send("\(sum.value)")
                    }
                }
            }
            server.options.rawBytesLimit = 32 << 20
            let body = LoopbackPattern(seed: 9).bytes(count: size)
            async let answer = onThread {
                let client = try RawClient(server)
                try client.get("/x")
                try client.send(body)
                _ = try client.readLine()
                _ = try client.readFields()
                return try client.readToEnd()
            }
            #expect(await eventually { gate.waiting == 1 })
            #expect(await eventually { server.rawBytes(connection: 1).count > 256 << 10 })
            try await Task.sleep(for: .milliseconds(50))
            #expect(server.rawBytes(connection: 1).count < 2 << 20)
            gate.open()
            #expect(try await answer == "\(LoopbackChecksum(of: body).value)")
        }
    }
}
