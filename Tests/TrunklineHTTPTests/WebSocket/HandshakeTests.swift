import Foundation
import Testing
import TrunklineTesting

@testable import TrunklineHTTP

@Suite struct HandshakeTests {
    /// The key of RFC 6455, section 1.3.
    private let key = "dGhlIHNhbXBsZSBub25jZQ=="
    private let accepted: HTTPHeaders = [
        "Upgrade": "WebSocket", "Connection": "keep-alive, UPGRADE",
        "Sec-WebSocket-Accept": "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=",
    ]

    @Test func `the accept value of the RFC's key`() {
        #expect(WebSocketHandshake.accept(for: key) == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
    }

    @Test(arguments: [
        ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"), ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
        (String(repeating: "a", count: 56), "c2db330f6083854c99d4b5bfb6e8f29f201be699"),
        (String(repeating: "a", count: 64), "0098ba824b5c16427bd7a1122a5a442a25ec644d"),
    ])
    func `SHA-1 of known messages`(message: String, digest: String) {
        #expect(SHA1Digest.bytes(of: Array(message.utf8)).map { String(format: "%02x", $0) }.joined() == digest)
    }

    @Test func `the request has what RFC 6455 asks for`() throws {
        let url = try #require(URL(string: "http://example.com:8080/chat?x=1"))
        let request = HTTPRequest(
            url: url, headers: ["Cookie": "a=b", "Sec-WebSocket-Key": "mine", "Origin": "http://o"])
        let bytes = try WebSocketHandshake(protocols: ["chat", "v2.x"], key: key).request(request, target: "/chat?x=1")
        #expect(
            String(decoding: bytes, as: UTF8.self)
                == "GET /chat?x=1 HTTP/1.1\r\nHost: example.com:8080\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
                + "Sec-WebSocket-Protocol: chat, v2.x\r\nCookie: a=b\r\nOrigin: http://o\r\n\r\n")
        #expect(Set((0..<50).map { _ in WebSocketHandshake(protocols: []).key }).count == 50)
        #expect(Data(base64Encoded: WebSocketHandshake(protocols: []).key)?.count == 16)
    }

    @Test func `what can't begin a socket is refused`() throws {
        let url = try #require(URL(string: "http://h/"))
        let handshake = WebSocketHandshake(protocols: ["a b"])
        #expect(throws: HTTPError.self) { try handshake.request(HTTPRequest(url: url), target: "/") }
        let plain = WebSocketHandshake(protocols: [])
        #expect(throws: HTTPError.self) { try plain.request(HTTPRequest(method: .post, url: url), target: "/") }
        #expect(throws: HTTPError.self) {
            try plain.request(HTTPRequest(url: url, body: .data(Data("x".utf8))), target: "/")
        }
    }

    @Test func `a good answer, with and without a subprotocol`() throws {
        #expect(try WebSocketHandshake(protocols: ["a"], key: key).check(accepted) == nil)
        let chosen = accepted.merging(["Sec-WebSocket-Protocol": "b"])
        #expect(try WebSocketHandshake(protocols: ["a", "b"], key: key).check(chosen) == "b")
    }

    @Test(arguments: [
        ("Upgrade", "h2c"), ("Upgrade", nil), ("Connection", "close"), ("Connection", nil),
        ("Sec-WebSocket-Accept", nil),
        ("Sec-WebSocket-Accept", "s3pplmbitxaq9kygzzhzrbk+xoo="), ("Sec-WebSocket-Extensions", "permessage-deflate"),
        ("Sec-WebSocket-Protocol", "b"),
    ])
    func `a bad answer is no WebSocket`(name: String, value: String?) {
        var headers = accepted
        headers[name] = value
        let error = #expect(throws: HTTPError.self) {
            try WebSocketHandshake(protocols: ["a"], key: key).check(headers)
        }
        #expect(ErrorKind(error) == .invalidResponse)
    }

    @Test(arguments: [
        ("ws://h/a", "http://h/a"), ("wss://h/a", "https://h/a"), ("WSS://h/a", "https://h/a"),
        ("https://h/a", "https://h/a"),
        ("http://h/ws://x", "http://h/ws://x"),
    ])
    func `schemes are those of HTTP underneath`(text: String, expected: String) throws {
        let url = try #require(URL(string: text))
        #expect(try WebSocketRequest(base: text).makeRequest().url.absoluteString == expected)
        #expect(try WebSocketRequest(base: url).makeRequest().url.absoluteString == expected)
        #expect(try WebSocketRequest(base: HTTPRequest(url: url)).makeRequest().url.absoluteString == expected)
        #expect(try WebSocketRequest(base: Endpoint(.get, text)).makeRequest().url.absoluteString == expected)
        #expect(try WebSocketRequest(base: URLRequest(url: url)).makeRequest().url.absoluteString == expected)
    }

    // MARK: - The answer on the wire

    private func answer(_ wire: String, cut: Int) throws -> HTTPResponse? {
        var reader = HandshakeReader(
            request: HTTPRequest(url: try #require(URL(string: "http://h/"))), maximumHead: 1000, maximumFields: 20)
        var rest = Data(wire.utf8)
        while !rest.isEmpty {
            let piece = Data(rest.prefix(cut))
            rest = rest.dropFirst(cut)
            if let answer = try piece.withUnsafeBytes({ try reader.read($0) }) { return answer }
        }
        return reader.unfinishedRefusal()
    }

    @Test(arguments: [
        "HTTP/1.1 403 No\r\nContent-Length: 5\r\n\r\nhello", "HTTP/1.1 403\nContent-Length: 5\n\nhello more",
        "HTTP/1.1 403 No\r\n\r\nhello",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\nLink: x\r\n\r\nHTTP/1.1 403 No\r\nContent-Length: 5\r\n\r\nhello",
        "HTTP/1.1 403 No\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3;x=y\r\nllo\r\n0\r\n\r\n",
        "HTTP/1.1 403 No\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
    ])
    func `refusals are read with their content`(wire: String) throws {
        for cut in [1, 2, 3, 7, 10_000] {
            let response = try #require(try answer(wire, cut: cut))
            #expect(response.statusCode == 403)
            #expect(String(decoding: response.data, as: UTF8.self) == "hello", "cut in \(cut)")
        }
    }

    @Test(arguments: [
        "HTTP/1.1 1x1 No\r\n\r\n", "nonsense\r\n\r\n", "HTTP/2 101 X\r\n\r\n", "HTTP/1.0 101 X\r\n\r\n", "\r\n\r\n",
        "HTTP/1.1 200 OK\r\n" + String(repeating: "a: b\r\n", count: 21) + "\r\n",
        "HTTP/1.1 200 OK\r\nX: " + String(repeating: "a", count: 1000),
        String(repeating: "HTTP/1.1 100 C\r\n\r\n", count: 70),
    ])
    func `what is no answer is an error`(wire: String) throws {
        for cut in [1, 10_000] {
            let error = #expect(throws: HTTPError.self) { try answer(wire, cut: cut) }
            #expect(ErrorKind(error) == .invalidResponse)
        }
    }
}
