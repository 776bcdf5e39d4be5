import Foundation
import Testing
import TrunklineTesting

@testable import TrunklineHTTP

@Suite("The libcurl transport: proxies and content codings")
struct CurlProxyTests {
    private func proxied(
        _ server: LoopbackServer, kind: ProxyPolicy.Proxy.Kind = .http, user: String? = nil, exceptions: [String] = []
    ) throws -> CurlTransport {
        var configuration = TransportConfiguration()
        configuration.proxy = .proxy(
            .init(
                kind: kind, host: "127.0.0.1", port: server.port, user: user, password: user.map { _ in "p" },
                exceptions: exceptions))
        return try CurlTransport(configuration: configuration)
    }

    private let url = "http://far.test:81/a?b=c"

    @Test("http through an HTTP proxy names the whole URL")
    func http() async throws {
        let proxy = try LoopbackServer {
            $0.script([.readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")])
        }
        let transport = try proxied(proxy, user: "u")
        #expect(await transport.ending(of: HTTPRequest(url: try #require(URL(string: url)))).text == "ok")
        let head = String(decoding: proxy.rawBytes(connection: 1), as: UTF8.self)
        #expect(head.hasPrefix("GET http://far.test:81/a?b=c HTTP/1.1\r\nHost: far.test:81\r\n"))
        #expect(head.contains("Proxy-Authorization: Basic dTpw\r\n"))
    }

    @Test("A proxy that refuses the tunnel, or isn't there, is a failed connection")
    func refused() async throws {
        let proxy = try LoopbackServer { server in
            server.script([
                .readHead, .send("HTTP/1.1 407 No\r\nProxy-Authenticate: Basic\r\nContent-Length: 0\r\n\r\n"), .close,
            ])
        }
        let secure = HTTPRequest(url: try #require(URL(string: "https://far.test/")))
        let transport = try proxied(proxy)
        #expect(await transport.ending(of: secure).kind == .connectionFailed)
        proxy.stop()
        #expect(await transport.ending(of: secure).kind == .connectionFailed)
    }

    @Test("Exceptions go straight to the server")
    func exceptions() async throws {
        let proxy = try LoopbackServer()
        let server = try LoopbackServer { $0.fallback(respond: .text("direct")) }
        let transport = try proxied(proxy, exceptions: ["127.0.0.1", "x.test"])
        #expect(await transport.ending(of: try server.request()).text == "direct")
        #expect(proxy.connectionCount == 0)
    }

    @Test("SOCKS 5: the proxy resolves the name")
    func socks() async throws {
        let answers: [UInt8] = [5, 0, 5, 0, 0, 1, 127, 0, 0, 1, 0, 81]
        let proxy = try LoopbackServer { server in
            server.script([
                .send(Data(answers)), .wait(.milliseconds(100)),
                .send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"),
                .waitForClose,
            ])
        }
        let transport = try proxied(proxy, kind: .socks5)
        #expect(await transport.ending(of: HTTPRequest(url: try #require(URL(string: url)))).text == "ok")
        let sent = [UInt8](proxy.rawBytes(connection: 1))
        let ask: [UInt8] = [5, 1, 0, 3, 8] + Array("far.test".utf8) + [0, 81]
        #expect(sent.first == 5)
        #expect(sent.firstRange(of: ask) != nil)
        #expect(sent.firstRange(of: Array("GET /a?b=c HTTP/1.1\r\n".utf8)) != nil)
    }

    @Test("A SOCKS proxy that refuses is a failed connection")
    func socksRefusal() async throws {
        let proxy = try LoopbackServer { $0.script([.send(Data([5, 0xFF])), .waitForClose]) }
        let transport = try proxied(proxy, kind: .socks5)
        let ending = await transport.ending(of: HTTPRequest(url: try #require(URL(string: url))))
        #expect(ending.kind == .connectionFailed)
    }

    @Test("Codings are decoded where the library has them: br, identity, an unknown one as it is")
    func codings() async throws {
        let brotli = Data([0x0B, 0x02, 0x80]) + Data("hello".utf8) + Data([0x03])
        let server = try LoopbackServer { server in
            server.route(.get, "/br", respond: .data(brotli, headers: ["Content-Encoding": "br"]))
            server.route(.get, "/identity", respond: .text("hello", headers: ["Content-Encoding": "identity"]))
        }
        let transport = try CurlTransport()
        #expect(await transport.ending(of: try server.request(.get, "/identity")).text == "hello")
        guard transport.capabilities.contentEncodings.contains("br") else { return }
        #expect(await transport.ending(of: try server.request(.get, "/br")).text == "hello")
    }
}
