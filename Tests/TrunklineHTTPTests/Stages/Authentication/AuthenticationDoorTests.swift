import Foundation
import Testing
import TrunklineTesting

@testable import TrunklineHTTP

/// Streams and sockets get their credential like any request.
@Suite("Authentication of streams and sockets")
struct AuthenticationDoorTests {
    @Test("A stream that is refused is refreshed and sent again", arguments: TransportKind.allCases)
    func stream(kind: TransportKind) async throws {
        let fixture = try TokenServer(refresh: .text("new"))
        let session = SessionManager.with(fixture.authentication(), transport: kind.make())
        var lines: [String] = []
        for try await line in session.stream(fixture.data).lines { lines.append(line) }
        #expect(lines == ["data"])
        #expect(fixture.tokens == ["Bearer old", "Bearer new"] && fixture.refreshes == 1)
    }

    @Test("A stream's own authentication is used", arguments: TransportKind.allCases)
    func ownAuthentication(kind: TransportKind) async throws {
        let fixture = try TokenServer()
        let options = RequestOptions(
            authentication: .use(BearerAuthentication(token: "new", origins: [fixture.origin])))
        var lines: [String] = []
        let session = kind.session()
        for try await line in session.stream(Endpoint(.get, fixture.data, options: options)).lines {
            lines.append(line)
        }
        #expect(lines == ["data"] && fixture.tokens == ["Bearer new"])
    }

    @Test("The refresh before a socket's handshake is a request, and the handshake has the new token")
    func socket() async throws {
        let fixture = try TokenServer(refresh: .text("new"))
        fixture.server.webSocket("/chat") { socket in
            while let message = try await socket.receive() { socket.send(message) }
        }
        let session = SessionManager.with(
            fixture.authentication(Token(text: "old", isDue: true)), transport: try CurlTransport())
        let socket = session.webSocket("ws://127.0.0.1:\(fixture.server.port)/chat")
        try await socket.send(.text("hello"))
        var messages = socket.messages.makeAsyncIterator()
        #expect(try await messages.next() == .text("hello"))
        let handshake = fixture.server.requests.first { $0.path == "/chat" }
        #expect(handshake?.headers["Authorization"] == "Bearer new")
        let refresh = fixture.server.requests.first { $0.path == "/refresh" }
        #expect(refresh?.method == .post && refresh?.headers["Upgrade"] == nil)
        try socket.close()
    }
}
