import Foundation
import Testing
import TrunklineTesting

@Suite("Loopback server: connections")
struct LoopbackConnectionTests {
    @Test("A connection is kept for the next request, and closed when the client or the server says so")
    func keepAlive() async throws {
        let server = try LoopbackServer { $0.route(.get, "/x", respond: .text("x")) }
        let rest = try await onThread {
            let client = try RawClient(server)
            for _ in 0..<3 {
                try client.get("/x")
                let answer = try client.readAnswer()
                #expect(answer.text == "x" && answer.headers["Connection"] == nil)
            }
            try client.get("/x", headers: "Connection: close\r\n")
            #expect(try client.readAnswer().headers["Connection"] == "close")
            return try client.readToEnd()
        }
        #expect(rest == "")
        #expect(server.connectionCount == 1)
        #expect(server.requests.map(\.numberOnConnection) == [1, 2, 3, 4])
        #expect(server.requests.map(\.number) == [1, 2, 3, 4])
        server.closesConnections = true
        try await onThread {
            let client = try RawClient(server)
            try client.get("/x")
            #expect(try client.readAnswer().headers["Connection"] == "close")
            #expect(try client.readToEnd() == "")
        }
        #expect(server.connectionCount == 2)
        #expect(await server.waitForConnectionsClosed())
    }

    @Test("HTTP/1.0 connections are closed unless the client asks to keep them")
    func oldVersion() async throws {
        let server = try LoopbackServer { server in
            server.route(.get, "/x", respond: .text("x"))
            server.route(.get, "/chunks", respond: .chunked(["one ", "two"]))
        }
        try await onThread {
            let client = try RawClient(server)
            try client.send("GET /x HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
            #expect(try client.readAnswer().headers["Connection"] == "keep-alive")
            try client.send("GET /chunks HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
            let answer = try client.readAnswer()
            #expect(answer.text == "one two")
            #expect(answer.headers["Transfer-Encoding"] == nil && answer.headers["Connection"] == "close")
        }
    }

    @Test("Pipelined requests are answered in order, however long each takes")
    func pipelining() async throws {
        let server = try LoopbackServer { server in
            server.route(.get, "/fixed", respond: .text("fixed"))
            server.route(.post, "/echo/{n}") { request in
                .text("\(request["n"] ?? "") \(request.text)").delayed(
                    by: .milliseconds(request["n"] == "1" ? 80 : 0))
            }
        }
        let texts = try await onThread {
            let client = try RawClient(server)
            try client.send(
                """
                POST /echo/1 HTTP/1.1\r\nHost: t\r\nContent-Length: 3\r\n\r\none\
                GET /fixed HTTP/1.1\r\nHost: t\r\n\r\n\
                POST /echo/2 HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n3\r\ntwo\r\n0\r\n\r\n\
                GET /fixed HTTP/1.1\r\nHost: t\r\n\r\n
                """)
            return try (0..<4).map { _ in try client.readAnswer().text }
        }
        #expect(texts == ["1 one", "fixed", "2 two", "fixed"])
        #expect(server.requests.map(\.path) == ["/echo/1", "/fixed", "/echo/2", "/fixed"])
        #expect(server.connectionCount == 1)
    }

    @Test("A delay holds the head back")
    func delay() async throws {
        let server = try LoopbackServer { server in
            server.route(.get, "/x", respond: .text("x").delayed(by: .milliseconds(120)))
        }
        let took = try await onThread {
            let client = try RawClient(server)
            return try ContinuousClock().measure {
                try client.get("/x")
                _ = try client.readAnswer()
            }
        }
        #expect(took >= .milliseconds(119) && took < .seconds(30))
    }

    @Test("Waiters are told of requests, and of their absence")
    func waiting() async throws {
        let server = try LoopbackServer { $0.route(.get, "/x", respond: .text("x")) }
        #expect(await server.waitForRequests(1, timeout: .milliseconds(30)) == false)
        async let came = server.waitForRequests(3, timeout: .seconds(30))
        async let cameThere = server.waitForRequests(2, path: "/x", timeout: .seconds(30))
        try await onThread {
            let client = try RawClient(server)
            for target in ["/x", "/y", "/x"] {
                try client.get(target)
                _ = try client.readAnswer()
            }
            #expect(server.openConnections == 1)
        }
        #expect(await came)
        #expect(await cameThere)
        #expect(server.requestCount == 3 && server.requestCount(path: "/x") == 2)
        #expect(await server.waitForConnectionsClosed())
        #expect(server.openConnections == 0)
    }
}
