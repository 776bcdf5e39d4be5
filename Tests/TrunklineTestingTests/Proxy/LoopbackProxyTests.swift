import Foundation
import Testing
import TrunklineTesting

@Suite("Loopback proxy")
struct LoopbackProxyTests {
    private let server: LoopbackServer

    init() throws { server = try LoopbackServer { $0.addStandardRoutes() } }

    private func transport(_ proxy: LoopbackProxy, user: String? = nil) throws -> CurlTransport {
        var configuration = TransportConfiguration()
        configuration.proxy = .proxy(
            .init(host: proxy.host, port: proxy.port, user: user, password: user.map { _ in "p" }))
        return try CurlTransport(configuration: configuration)
    }

    @Test("Requests in absolute form are forwarded, with bodies both ways", .enabled(if: curlIsThere))
    func forwards() async throws {
        let proxy = try LoopbackProxy(hosts: ["api.test": server.port])
        let transport = try transport(proxy)
        let body = LoopbackPattern(seed: 1).bytes(count: 300_000)
        let echo = try await transport.answer(
            request(.put, "http://api.test/upload?x=1", headers: ["X-One": "1"], body: .data(body)))
        #expect(try JSONValue(parsing: echo.data)["bytes"] == 300_000)
        let download = try await transport.answer(request(.get, "http://api.test:81/bytes/500000"))
        #expect(download.data == LoopbackPattern().bytes(count: 500_000))
        #expect(proxy.requests.map(\.target) == ["http://api.test/upload?x=1", "http://api.test:81/bytes/500000"])
        let seen = try #require(server.requests.first)
        #expect(seen.target == "/upload?x=1" && seen.headers["Host"] == "api.test")
        #expect(seen.headers["X-One"] == "1" && seen.headers["Via"] == "1.1 loopback")
        #expect(seen.bodyChecksum == LoopbackChecksum(of: body).value)
    }

    @Test("Tunnels carry TLS; the server is asked for by name", .enabled(if: curlIsThere && LoopbackTLS.isAvailable))
    func tunnels() async throws {
        let secure = try LoopbackTLS(to: server, hosts: ["api.test"])
        defer { secure.stop() }
        let proxy = try LoopbackProxy(hosts: ["api.test:443": secure.port])
        var configuration = TransportConfiguration()
        configuration.proxy = .proxy(.init(host: proxy.host, port: proxy.port))
        configuration.tls.trust = .caPEM(secure.authorityPEM)
        let transport = try CurlTransport(configuration: configuration)
        let response = try await transport.answer(request(.get, "https://api.test/bytes/200000"))
        #expect(response.data == LoopbackPattern().bytes(count: 200_000))
        #expect(proxy.requests.map(\.method) == [.connect])
        #expect(proxy.requests.map(\.target) == ["api.test:443"])
    }

    @Test("A proxy that wants credentials gets them, or refuses", .enabled(if: curlIsThere))
    func credentials() async throws {
        let proxy = try LoopbackProxy(hosts: ["api.test": server.port], user: "u", password: "p")
        let asked = try request(.get, "http://api.test/get")
        #expect(try await transport(proxy, user: "u").answer(asked).statusCode == 200)
        #expect(try await transport(proxy).answer(asked).statusCode == 407)
        #expect(proxy.requests.map(\.status) == [nil, 407])
        #expect(server.requests.allSatisfy { !$0.headers.contains("Proxy-Authorization") })
    }

    @Test("It never leaves the machine, and answers nonsense with 400")
    func refuses() async throws {
        let proxy = try LoopbackProxy()
        let port = server.port
        let rows: [(String, String)] = [
            ("GET http://example.com/ HTTP/1.1\r\n\r\n", "502"), ("CONNECT example.com:443 HTTP/1.1\r\n\r\n", "502"),
            ("CONNECT nowhere HTTP/1.1\r\n\r\n", "400"), ("GET /relative HTTP/1.1\r\n\r\n", "400"),
            ("GET http://localhost:99999/ HTTP/1.1\r\n\r\n", "400"), ("nonsense\r\n\r\n", "400"),
            ("GET http://u:p@localhost:\(port)/get HTTP/1.1\r\nHost: x\r\n\r\n", "200"),
            ("GET http://localhost:\(port)?a=1 HTTP/1.1\r\nHost: x\r\nBroken\r\n\r\n", "400"),
        ]
        for (text, status) in rows {
            let answer = try await onThread {
                let client = try RawClient(port: proxy.port)
                try client.send(text)
                return try client.readAnswer().statusLine
            }
            #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(text)")
        }
    }

    @Test("Stopping ends open tunnels and idle connections")
    func stops() async throws {
        let proxy = try LoopbackProxy()
        let ended = try await onThread {
            let idle = try RawClient(port: proxy.port)
            let tunnel = try RawClient(port: proxy.port)
            try tunnel.send("CONNECT 127.0.0.1:\(server.port) HTTP/1.1\r\n\r\n")
            guard waitUntil({ proxy.requests.count == 1 }) else { return false }
            proxy.stop()
            _ = try tunnel.readToEnd()
            return try idle.readToEnd().isEmpty
        }
        #expect(ended)
        proxy.stop()
    }
}

let curlIsThere = (try? CurlTransport()) != nil
