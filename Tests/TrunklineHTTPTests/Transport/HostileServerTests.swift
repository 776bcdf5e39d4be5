import Foundation
import Testing
import TrunklineTesting

@testable import TrunklineHTTP

@Suite("Hostile servers: each ends once, with its error, within its time")
struct HostileServerTests {
    private func check(_ row: HostileCase) async throws {
        let server = try LoopbackServer { $0.script(row.steps) }
        let transport = try CurlTransport()
        let timeouts = Timeouts(connect: .seconds(20), idle: .seconds(1))
        let ending = await transport.ending(of: try server.request(row.method), timeouts: timeouts)
        #expect(ending.kind == row.expected, "\(String(describing: ending.error))")
        #expect(ending.seconds < row.limit)
        let response = ending.response ?? ending.error?.response
        if let status = row.status { #expect(response?.statusCode == status) }
        if let text = row.text { #expect(response.map { String(decoding: $0.data, as: UTF8.self) } == text) }
        if row.expected == .idleTimeout { #expect(ending.seconds > 0.95) }
        // Whatever the server did, the next exchange is not harmed by it.
        server.script([.readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nnext")])
        #expect(await transport.ending(of: try server.request()).text == "next")
    }

    @Test("Connections that end too early", arguments: HostileCase.closes)
    func closes(_ row: HostileCase) async throws { try await check(row) }

    @Test("Messages that are malformed", arguments: HostileCase.malformed)
    func malformed(_ row: HostileCase) async throws { try await check(row) }

    @Test("Answers that never end, or never come", arguments: HostileCase.endless)
    func endless(_ row: HostileCase) async throws { try await check(row) }

    @Test("A long line ends by the limit, not by memory")
    func memoryOfLongLine() async throws {
        let server = try LoopbackServer { server in
            server.script([
                .readRequest, .send("HTTP/1.1 200 OK\r\nX: "), .generated(LoopbackPattern(seed: 2), count: 1 << 30),
            ])
        }
        let transport = try CurlTransport()
        let ending = await transport.ending(of: try server.request())
        #expect(ending.kind == .invalidResponse)
        #expect(ending.seconds < 30)
    }

    @Test("Odd but harmless field lines are read as browsers read them")
    func tolerance() async throws {
        let head =
            "HTTP/1.1 200 OK\r\nNoSpace:1\r\nSpaced:   2 \t\r\nBefore : 3\r\nEmpty:\r\nSet-Cookie: a=1\r\n"
            + "set-cookie: b=2, c\r\nFolded: one\r\n  two\r\n\tthree\r\nUTF: Zo\u{eb}\r\nColons: a:b:c\r\n"
        var bytes = Data(head.utf8)
        bytes.append(contentsOf: Array("Latin: caf".utf8) + [0xE9] + Array("\r\nContent-Length: 1\r\n\r\nx".utf8))
        let answer = bytes
        let server = try LoopbackServer { $0.script([.readRequest, .send(answer)]) }
        let transport = try CurlTransport()
        let response = try await transport.send(Exchange(request: server.request()))
        let headers = response.headers
        #expect(headers["NoSpace"] == "1")
        #expect(headers["Spaced"] == "2")
        #expect(headers["Before"] == "3")
        #expect(headers["Empty"] == "")
        #expect(headers.values(for: "Set-Cookie") == ["a=1", "b=2, c"])
        #expect(headers["Folded"] == "one two three")
        #expect(headers["UTF"] == "Zoë")
        #expect(headers["Latin"] == "café")
        #expect(headers["Colons"] == "a:b:c")
        #expect(response.data == Data("x".utf8))
    }

    @Test("Trailers are kept apart from the fields")
    func trailers() async throws {
        let server = try LoopbackServer { server in
            server.route(.get, "/", respond: .chunked(["a", "b"], trailers: ["X-Sum": "2", "X-Two": "3"]))
        }
        let transport = try CurlTransport()
        for _ in 0..<2 {
            let response = try await transport.send(Exchange(request: server.request()))
            #expect(response.data == Data("ab".utf8))
            #expect(response.trailers.fields.map(\.name) == ["X-Sum", "X-Two"])
            #expect(response.trailers["x-sum"] == "2")
            #expect(!response.headers.contains("X-Sum"))
        }
        #expect(server.connectionCount == 1)
    }
}
