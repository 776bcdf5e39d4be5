import Foundation
import Testing
import TrunklineTesting

@testable import TrunklineHTTP

/// The loopback server's WebSockets, byte for byte: checked by no other part of the library.
@Suite struct LoopbackWebSocketTests {
    private static let handshake =
        "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"

    private static func server() throws -> LoopbackServer {
        try LoopbackServer { server in
            server.webSocket("/echo") { socket in
                while let message = try await socket.receive() { socket.send(message) }
            }
        }
    }

    @Test func `the RFC's handshake, its masked Hello, its unmasked answer, and a close`() async throws {
        let server = try Self.server()
        let hello = try await onThread {
            let client = try RawClient(server)
            try client.get("/echo", headers: Self.handshake)
            let answer = try client.readAnswer()
            #expect(answer.status == 101)
            #expect(answer.headers["Sec-WebSocket-Accept"] == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
            try client.send(Data([0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58]))
            let hello = try client.read(7)
            try client.send(Data([0x88, 0x82, 0, 0, 0, 0, 0x03, 0xE8]))
            #expect(try client.read(4) == Data([0x88, 0x02, 0x03, 0xE8]))
            #expect(try client.readToEnd().isEmpty)
            return hello
        }
        #expect(hello == Data([0x81, 0x05]) + Data("Hello".utf8))
        #expect(server.requests.count == 1)
    }

    @Test(arguments: [
        ("", 426), ("Upgrade: websocket\r\n", 400),
        (handshake.replacingOccurrences(of: "13", with: "12"), 400),
        (handshake.replacingOccurrences(of: "dGhl", with: "x"), 400),
        (handshake.replacingOccurrences(of: "Connection: Upgrade\r\n", with: ""), 400),
    ])
    func `a bad handshake is refused`(headers: String, status: Int) async throws {
        let server = try Self.server()
        let answer = try await onThread {
            let client = try RawClient(server)
            try client.get("/echo", headers: headers)
            return try client.readAnswer()
        }
        #expect(answer.status == status)
    }

    @Test func `a client that doesn't mask is told with 1002`() async throws {
        let server = try Self.server()
        let rest = try await onThread {
            let client = try RawClient(server)
            try client.get("/echo", headers: Self.handshake)
            _ = try client.readAnswer()
            try client.send(Data([0x81, 0x01, 0x61]))
            return try client.read(4)
        }
        #expect(rest == Data([0x88, 0x02, 0x03, 0xEA]))
    }
}
