import Foundation
import Testing
import TrunklineTesting

@testable import TrunklineHTTP

/// A27: a request whose method is not idempotent goes out once at most.
@Suite("Requests on a kept connection that dies")
struct ResendTests {
    /// A server that answers one request, reads the next in whole and then closes without an answer; later connections
    /// are answered.
    private func server(_ last: [ScriptStep] = [.readRequest, .close]) throws -> LoopbackServer {
        let server = try LoopbackServer { server in
            server.script(connection: 1, [.readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na")] + last)
            server.fallback(respond: .text("again"))
        }
        return server
    }

    private static let bodies: [RequestBody?] = [
        nil, .data(Data()), .data(Data("order=1".utf8)), .data(Data(count: 300_000)),
        .stream(length: 3) { .init(unfolding: once(Data("abc".utf8))) },
        .stream { .init(unfolding: once(Data("abc".utf8))) },
    ]

    @Test("POST and PATCH are sent once, and fail", arguments: [HTTPMethod.post, .patch, "CHARGE"], bodies.indices)
    func notIdempotent(_ method: HTTPMethod, _ index: Int) async throws {
        let server = try server()
        let transport = try CurlTransport()
        _ = try await transport.send(Exchange(request: server.request()))
        let timeouts = Timeouts(idle: .seconds(60))
        let request = try server.request(method, "/pay", body: Self.bodies[index])
        let ending = await transport.ending(of: request, timeouts: timeouts)
        #expect(ending.kind == .lostBeforeResponse, "\(String(describing: ending.error))")
        #expect(ending.seconds < 20)
        try await Task.sleep(for: .milliseconds(30))
        #expect(server.requestCount(path: "/pay") == 1)
        #expect(server.abandonedRequests.isEmpty)
        #expect(server.connectionCount <= 2)
        if server.connectionCount == 2 { #expect(server.rawBytes(connection: 2).isEmpty) }
    }

    @Test("A reset is no different")
    func reset() async throws {
        let server = try server([.readRequest, .reset])
        let transport = try CurlTransport()
        _ = try await transport.send(Exchange(request: server.request()))
        let ending = await transport.ending(of: try server.request(.post, "/pay", body: .data(Data("x".utf8))))
        #expect(ending.kind == .lostBeforeResponse)
        #expect(server.requestCount(path: "/pay") == 1)
        #expect(await transport.ending(of: try server.request()).text == "again")
    }

    @Test("Idempotent requests are sent again, whole", arguments: [HTTPMethod.get, .put, .delete])
    func idempotent(_ method: HTTPMethod) async throws {
        let file = try ScratchFile(Data(repeating: 0x66, count: 100_000))
        for body in [nil, RequestBody.data(Data("v=1".utf8)), try .file(file.url)] where method != .get || body == nil {
            let server = try server()
            let transport = try CurlTransport()
            _ = try await transport.send(Exchange(request: server.request()))
            let ending = await transport.ending(of: try server.request(method, "/thing", body: body))
            #expect(ending.text == "again", "\(String(describing: ending.error))")
            #expect(server.requestCount(path: "/thing") == 2)
            #expect(server.requests.last?.bodyCount == body?.contentLength ?? 0)
        }
    }

    @Test("A kept connection that was closed long ago costs nothing, POST or not")
    func staleConnection() async throws {
        let server = try LoopbackServer { $0.fallback(respond: .text("ok")) }
        let transport = try CurlTransport()
        for method in [HTTPMethod.get, .post, .post] {
            let ending = await transport.ending(of: try server.request(method, body: nil))
            #expect(ending.text == "ok")
            server.closeConnections()
            #expect(await server.waitForConnectionsClosed())
            try await Task.sleep(for: .milliseconds(20))
        }
    }
}

/// Gives the chunk, then the end.
func once(_ chunk: Data) -> @Sendable () async throws -> Data? {
    let left = Protected<Data?>(chunk)
    return {
        left.withLock { left in
            defer { left = nil }
            return left
        }
    }
}
