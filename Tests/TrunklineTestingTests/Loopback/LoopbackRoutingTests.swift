import Foundation
import Testing
import TrunklineTesting

@Suite("Loopback server: routes")
struct LoopbackRoutingTests {
    private struct Book: Codable, Equatable {
        var id: String
        var title: String
    }

    @Test("A handler sees the request as it was sent and its answer arrives as it was made")
    func handlerRoundTrip() async throws {
        let server = try LoopbackServer { server in
            server.route(.get, "/books/{id}") { request in
                .json(Book(id: request["id"] ?? "", title: request.query("t") ?? ""))
            }
        }
        let answer = try await onThread {
            let client = try RawClient(server)
            try client.get("/books/a%2Fb%20c?t=1+1%2B2&x&y=", headers: "X-One: 1\r\nx-one: 2\r\n")
            return try client.readAnswer()
        }
        #expect(answer.status == 200)
        #expect(answer.statusLine == "HTTP/1.1 200 OK")
        #expect(answer.headers["Content-Type"] == "application/json")
        #expect(answer.text == #"{"id":"a/b c","title":"1 1+2"}"#)
        let request = try #require(server.requests.first)
        #expect(request.method == .get)
        #expect(request.target == "/books/a%2Fb%20c?t=1+1%2B2&x&y=")
        #expect(request.path == "/books/a/b c")
        #expect(request.pathValues == ["id": "a/b c"])
        #expect(
            request.queryItems == [
                URLQueryItem(name: "t", value: "1 1+2"), URLQueryItem(name: "x", value: nil),
                URLQueryItem(name: "y", value: ""),
            ])
        #expect(request.headers.values(for: "X-ONE") == ["1", "2"])
        #expect(request.number == 1 && request.connection == 1 && request.numberOnConnection == 1)
        #expect(request.isComplete)
        #expect(
            String(decoding: request.raw, as: UTF8.self)
                == "GET /books/a%2Fb%20c?t=1+1%2B2&x&y= HTTP/1.1\r\nHost: test\r\nX-One: 1\r\nx-one: 2\r\n\r\n")
        #expect(server.rawBytes(connection: 1) == request.raw)
    }

    @Test("A JSON body is decoded, echoed and counted")
    func jsonBody() async throws {
        let server = try LoopbackServer { server in
            server.route(.post, "/books") { request in .json(try request.json(as: Book.self), status: 201) }
        }
        let body = #"{"id":"7","title":"Emma"}"#
        let answer = try await onThread {
            let client = try RawClient(server)
            try client.send("POST /books HTTP/1.1\r\nHost: t\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
            return try client.readAnswer()
        }
        #expect(answer.status == 201)
        #expect(answer.text == body)
        #expect(server.requests.map(\.text) == [body])
        #expect(server.completeBodies == 1)
    }

    @Test("What no route answers gets a 404 that names it, or the fallback")
    func unmatched() async throws {
        let server = try LoopbackServer()
        let plain = try await ask(server, "/no/such?x=1")
        #expect(plain.status == 404)
        #expect(plain.text.contains("GET /no/such"))
        server.fallback(respond: .text("fallback", status: 410))
        #expect(try await ask(server, "/no/such").status == 410)
        server.fallback { request in .text("no " + request.path) }
        #expect(try await ask(server, "/x").text == "no /x")
    }

    @Test("A handler that throws gives 500 with the error")
    func throwing() async throws {
        struct Broken: Error, CustomStringConvertible { var description: String { "the shelf fell over" } }
        let server = try LoopbackServer { server in
            server.route(.get, "/x") { _ in throw Broken() }
        }
        let answer = try await ask(server, "/x")
        #expect(answer.status == 500)
        #expect(answer.text.contains("the shelf fell over"))
    }

    @Test("Plain paths go before templates, methods are told apart, and a later route replaces an earlier one")
    func precedence() async throws {
        let server = try LoopbackServer { server in
            server.route(nil, "/any", respond: .text("any"))
            server.route(.post, "/any", respond: .text("post"))
            server.route(.get, "/books/{id}", respond: .text("one"))
            server.route(.get, "/books/new", respond: .text("new"))
            server.route(.get, "/files/*") { .text($0["*"] ?? "none") }
            server.route(.get, "/a b", respond: .text("spaced"))
        }
        #expect(try await ask(server, "/any").text == "any")
        #expect(try await ask(server, "/any", method: "POST").text == "post")
        #expect(try await ask(server, "/books/3").text == "one")
        #expect(try await ask(server, "/books/new").text == "new")
        #expect(try await ask(server, "/books/3/4").status == 404)
        #expect(try await ask(server, "/files/a/b%20c").text == "a/b c")
        #expect(try await ask(server, "/a%20b").text == "spaced")
        server.route(.get, "/books/new", respond: .text("newer"))
        #expect(try await ask(server, "/books/new").text == "newer")
        #expect(try await ask(server, "http://other.example/books/new?x=1").text == "newer")
    }

    @Test("HEAD is answered by GET's route with its length and no body; 204 and 304 have neither")
    func bodiless() async throws {
        let server = try LoopbackServer { server in
            server.route(.get, "/x", respond: .text("twelve bytes"))
            server.route(.get, "/204", respond: .status(204))
            server.route(.get, "/304", respond: .text("ignored", status: 304))
            server.route(.get, "/chunks") { _ in .chunked(["a", "b"]) }
        }
        let (head, later, seen) = try await onThread {
            let client = try RawClient(server)
            try client.send("HEAD /x HTTP/1.1\r\nHost: t\r\n\r\n")
            let head = try client.readAnswer(to: "HEAD")
            var later: [RawClient.Answer] = []
            for path in ["/204", "/304"] {
                try client.get(path)
                later.append(try client.readAnswer())
            }
            try client.send("HEAD /chunks HTTP/1.1\r\nHost: t\r\n\r\n")
            later.append(try client.readAnswer(to: "HEAD"))
            try client.get("/x", headers: "Connection: close\r\n")
            return (head, later, try client.readToEnd())
        }
        #expect(head.status == 200)
        #expect(head.headers["Content-Length"] == "12")
        #expect(later.map(\.status) == [204, 304, 200])
        #expect(later.prefix(2).allSatisfy { !$0.headers.contains("Content-Length") })
        #expect(later[2].headers["Transfer-Encoding"] == "chunked")
        #expect(seen.hasPrefix("HTTP/1.1 200 OK\r\n") && seen.hasSuffix("\r\n\r\ntwelve bytes"))
    }

    private func ask(_ server: LoopbackServer, _ target: String, method: String = "GET") async throws
        -> RawClient.Answer
    {
        try await onThread {
            let client = try RawClient(server)
            try client.send("\(method) \(target) HTTP/1.1\r\nHost: test\r\n\r\n")
            return try client.readAnswer(to: method)
        }
    }
}
