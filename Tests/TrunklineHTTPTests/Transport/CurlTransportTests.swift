import Foundation
import Testing
import TrunklineTesting

@testable import TrunklineHTTP

@Suite("The libcurl transport: plain exchanges")
struct CurlTransportTests {
    @Test("GET gives status, fields and content, and says what was measured")
    func get() async throws {
        let server = try LoopbackServer { server in
            server.route(.get, "/a", respond: .text("hello", headers: ["X-One": "1", "Set-Cookie": "a=1"]))
        }
        let transport = try CurlTransport()
        let response = try await transport.send(Exchange(request: server.request(.get, "/a?x=1%2B2")))
        #expect(response.statusCode == 200)
        #expect(response.data == Data("hello".utf8))
        #expect(response.headers["x-one"] == "1")
        #expect(response.source == .network)
        let metrics = try #require(response.metrics)
        #expect(metrics.networkProtocol == "http/1.1")
        #expect(metrics.isReusedConnection == false)
        #expect(metrics.remoteAddress == "127.0.0.1:\(server.port)")
        #expect(metrics.bytesReceived == 5)
        #expect(try #require(metrics.total) > .zero)
        let head = String(decoding: try #require(server.requests.first).rawHead, as: UTF8.self)
        #expect(head.hasPrefix("GET /a?x=1%2B2 HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n"))
        #expect(!head.lowercased().contains("content-"))
        #expect(!head.lowercased().contains("expect"))
    }

    @Test("The first byte is that of the answer, whatever was sent before it")
    func firstByte() async throws {
        let server = try LoopbackServer { $0.fallback(respond: .text("late").delayed(by: .milliseconds(120))) }
        let transport = try CurlTransport()
        let bodies: [RequestBody?] = [
            nil, .data(Data("x=1".utf8)), .stream { RequestBody.Chunks { $0.finish() } },
        ]
        for body in bodies {
            let ending = await transport.ending(of: try server.request(body == nil ? .get : .post, body: body))
            let metrics = try #require(ending.response?.metrics)
            let firstByte = try #require(metrics.firstByte)
            #expect(firstByte >= .milliseconds(100) && firstByte <= (metrics.total ?? .zero), "\(metrics)")
        }
    }

    @Test("The connection is used again")
    func reuse() async throws {
        let server = try LoopbackServer { $0.route(.get, "/", respond: .text("x")) }
        let transport = try CurlTransport()
        for number in 0..<5 {
            let response = try await transport.send(Exchange(request: server.request()))
            #expect(response.metrics?.isReusedConnection == (number > 0))
        }
        #expect(server.connectionCount == 1)
    }

    @Test(
        "Every method goes out as it is named, with its body",
        arguments: ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "QUERY", "PROPFIND"])
    func methods(_ name: String) async throws {
        let server = try LoopbackServer { $0.fallback { .text("\($0.method.rawValue) \($0.text)") } }
        let transport = try CurlTransport()
        for body in ["", "abc", String(repeating: "z", count: 200_000)] {
            let request = try server.request(
                HTTPMethod(rawValue: name), body: .data(Data(body.utf8), contentType: "text/plain"))
            let ending = await transport.ending(of: request)
            #expect(ending.text == "\(name) \(body)")
            let received = try #require(server.requests.last)
            #expect(received.headers["Content-Length"] == String(body.utf8.count))
            #expect(received.headers.values(for: "Content-Type") == ["text/plain"])
            #expect(!received.headers.contains("Expect"))
            #expect(!received.headers.contains("Transfer-Encoding"))
        }
        let plain = await transport.ending(of: try server.request(HTTPMethod(rawValue: name)))
        #expect(plain.text == "\(name) ")
        let received = try #require(server.requests.last)
        #expect(!received.headers.contains("Content-Type"))
        #expect((received.headers["Content-Length"] == "0") == ["POST", "PUT", "PATCH"].contains(name))
    }

    @Test("A body without a type goes out without one, never as a form")
    func noType() async throws {
        let server = try LoopbackServer { $0.fallback(respond: .status(204)) }
        let transport = try CurlTransport()
        for body in [RequestBody.data(Data("a=1".utf8)), .stream { .init(unfolding: { nil }) }] {
            _ = try await transport.send(Exchange(request: server.request(.post, body: body)))
            #expect(server.requests.last?.headers.contains("Content-Type") == false)
        }
    }

    @Test("The request's own Content-Type wins over the body's")
    func ownType() async throws {
        let server = try LoopbackServer { $0.fallback(respond: .status(204)) }
        let transport = try CurlTransport()
        let body = RequestBody.data(Data("{}".utf8), contentType: "application/json")
        let request = try server.request(.post, headers: ["content-type": "application/vnd.api+json"], body: body)
        _ = try await transport.send(Exchange(request: request))
        #expect(server.requests.last?.headers.values(for: "Content-Type") == ["application/vnd.api+json"])
    }

    @Test("HEAD has no body, whatever length it names; the connection stays usable")
    func head() async throws {
        let server = try LoopbackServer { $0.route(.get, "/", respond: .text("hello")) }
        let transport = try CurlTransport()
        let response = try await transport.send(Exchange(request: server.request(.head)))
        #expect(response.data.isEmpty)
        #expect(response.headers["Content-Length"] == "5")
        let next = try await transport.send(Exchange(request: server.request()))
        #expect(next.data.count == 5)
        #expect(server.connectionCount == 1)
        #expect(
            await transport.ending(of: try server.request(.head, body: .data(Data("x".utf8)))).kind == .invalidRequest)
    }

    @Test("Header fields go out as they are: empty, repeated, spaced, non-ASCII")
    func fields() async throws {
        let server = try LoopbackServer { $0.fallback(respond: .status(204)) }
        let transport = try CurlTransport()
        var headers: HTTPHeaders = [
            "X-Empty": "", "X-Tab": "a\tb", "Accept": "text/x", "X-Name": "Zoë", "Host": "h.test",
        ]
        headers.add("X-Twice", "1")
        headers.add("X-Twice", "2")
        _ = try await transport.send(Exchange(request: server.request(headers: headers)))
        let received = try #require(server.requests.last).headers
        #expect(received["X-Empty"] == "")
        #expect(received["X-Tab"] == "a\tb")
        #expect(received["X-Name"] == "Zoë")
        #expect(received.values(for: "X-Twice") == ["1", "2"])
        #expect(received.values(for: "Accept") == ["text/x"])
        #expect(received.values(for: "Host") == ["h.test"])
    }

    @Test("A line break in a field never reaches the wire", arguments: ["a\r\nX-Evil: 1", "a\nb", "a\u{0}b"])
    func lineBreaks(_ value: String) async throws {
        let server = try LoopbackServer { $0.fallback(respond: .status(204)) }
        let transport = try CurlTransport()
        #expect(await transport.ending(of: try server.request(headers: ["X-A": value])).kind == .invalidRequest)
        #expect(await transport.ending(of: try server.request(headers: [value: "x"])).kind == .invalidRequest)
        #expect(server.connectionCount == 0)
    }

    @Test("The path goes out as it is; user, password and fragment do not")
    func target() async throws {
        let server = try LoopbackServer { $0.fallback(respond: .status(204)) }
        let transport = try CurlTransport()
        let url = try #require(URL(string: "http://u:p@127.0.0.1:\(server.port)/b/./c/../d?a=@/..#frag"))
        _ = try await transport.send(Exchange(request: HTTPRequest(url: url)))
        #expect(server.requests.last?.target == "/b/./c/../d?a=@/..")
        #expect(server.requests.last?.headers.contains("Authorization") == false)
    }

    @Test("IPv6 literals are fine")
    func ipv6() async throws {
        guard let server = try? LoopbackServer(host: "::1", routes: { $0.fallback(respond: .text("six")) }) else {
            return
        }
        let transport = try CurlTransport()
        let response = try await transport.send(Exchange(request: server.request()))
        #expect(response.data == Data("six".utf8))
        #expect(response.metrics?.remoteAddress == "[::1]:\(server.port)")
    }

    @Test("A refused connection and an unknown host are told apart")
    func noConnection() async throws {
        let server = try LoopbackServer()
        let request = try server.request()
        server.stop()
        let transport = try CurlTransport()
        #expect(await transport.ending(of: request).kind == .connectionFailed)
        let unknown = HTTPRequest(url: try #require(URL(string: "http://nowhere.invalid/")))
        let ending = await transport.ending(of: unknown)
        #expect(ending.kind == .nameResolution || ending.kind == .connectTimeout)
    }

    @Test("Redirects and challenges are answers like any other", arguments: [301, 302, 307, 401, 407, 500])
    func noFollowing(_ status: Int) async throws {
        let headers: HTTPHeaders = ["Location": "/b", "WWW-Authenticate": "Basic realm=\"x\""]
        let server = try LoopbackServer { server in
            server.fallback(respond: .text("no", status: status, headers: headers))
        }
        let transport = try CurlTransport()
        let ending = await transport.ending(of: try server.request(.post, "/a", body: .data(Data("x".utf8))))
        #expect(ending.response?.statusCode == status)
        #expect(ending.text == "no")
        #expect(server.requestCount == 1)
    }

    @Test("gzip is asked for and decoded; a request that speaks for itself, or asks for a range, is left alone")
    func codings() async throws {
        let server = try LoopbackServer { $0.fallback(respond: .status(204)) }
        let transport = try CurlTransport()
        _ = try await transport.send(Exchange(request: server.request()))
        #expect(server.requests.last?.headers["Accept-Encoding"]?.contains("gzip") == true)
        #expect(transport.capabilities.contentEncodings.contains("gzip"))
        _ = try await transport.send(Exchange(request: server.request(headers: ["Accept-Encoding": "identity"])))
        #expect(server.requests.last?.headers.values(for: "Accept-Encoding") == ["identity"])
        _ = try await transport.send(Exchange(request: server.request(headers: ["Range": "bytes=1-"])))
        #expect(server.requests.last?.headers.contains("Accept-Encoding") == false)
    }

    @Test("Only so many connections a host are opened, and everybody gets a turn")
    func connectionLimit() async throws {
        let server = try LoopbackServer { server in
            server.fallback(respond: .text("x").delayed(by: .milliseconds(30)))
        }
        var configuration = TransportConfiguration()
        configuration.maximumConnectionsPerHost = 3
        let transport = try CurlTransport(configuration: configuration)
        let request = try server.request()
        let timeouts = Timeouts(connect: .seconds(2), idle: .seconds(2))
        let endings = await withTaskGroup(of: Ending.self) { group in
            for _ in 0..<300 { group.addTask { await transport.ending(of: request, timeouts: timeouts) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        // 300 requests take three seconds over 3 connections: waiting for a turn counts against no limit.
        #expect(endings.allSatisfy { $0.text == "x" })
        #expect(server.connectionCount <= 3)
    }
}
