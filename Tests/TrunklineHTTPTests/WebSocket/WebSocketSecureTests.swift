import Foundation
import TestSupport
import Testing
import TrunklineTesting

@testable import TrunklineHTTP

@Suite(
    "WebSockets through nginx: TLS, pins, tunnels, the process's end",
    .enabled(if: NginxFixture.isWanted, "nginx or openssl is not installed"), .serialized)
struct WebSocketSecureTests {
    private let nginx: NginxFixture
    private let server: LoopbackServer

    init() async throws {
        nginx = try await NginxFixture.start()
        server = try LoopbackServer { server in
            server.webSocket("/echo") { socket in
                while let message = try await socket.receive() { socket.send(message) }
            }
        }
    }

    /// The echo behind nginx.
    private func url(_ site: NginxFixture.Site) throws -> String {
        let url = try nginx.url(site, "/to/\(server.port)/echo").absoluteString
        return url.replacingOccurrences(of: "http", with: "ws")
    }

    private func failure(_ site: NginxFixture.Site, _ configuration: TransportConfiguration) async throws -> HTTPError?
    {
        let session = SessionManager(transport: try CurlTransport(configuration: configuration))
        let socket = session.webSocket(try url(site))
        return await #expect(throws: HTTPError.self) { try await socket.opened() }
    }

    private func echo(_ site: NginxFixture.Site, _ configuration: TransportConfiguration) async throws {
        let session = SessionManager(transport: try CurlTransport(configuration: configuration))
        let socket = session.webSocket(try url(site))
        let large = LoopbackPattern(seed: 4).bytes(count: 3 << 20)
        let sender = Task {
            for number in 0..<200 { try await socket.send(.text("\(number)")) }
            try await socket.send(.binary(large))
        }
        var iterator = socket.messages.makeAsyncIterator()
        for number in 0..<200 { #expect(try await iterator.next() == .text("\(number)")) }
        #expect(try await iterator.next() == .binary(large))
        try await sender.value
        #expect(try await socket.ping() > .zero)
        try socket.close()
        #expect(try await socket.closed().code == .normalClosure)
    }

    @Test("wss, also where HTTP/2 is offered, with a pin that fits; and ws")
    func secure() async throws {
        var configuration = nginx.trusting
        try await echo(.http1, configuration)
        try await echo(.plain, configuration)
        configuration.tls.pins = ["localhost": [try nginx.pin(of: "server")]]
        try await echo(.valid, configuration)
    }

    @Test("TLS failures are those of requests")
    func failures() async throws {
        var configuration = nginx.trusting
        for (site, reason) in [
            (NginxFixture.Site.wrongName, TLSFailure.Reason.hostMismatch), (.untrusted, .untrustedCertificate),
            (.expired, .untrustedCertificate),
        ] {
            guard case .tls(let failure) = try await failure(site, configuration) else {
                Issue.record("\(site)")
                continue
            }
            #expect(failure.reason == reason)
        }
        configuration.tls.pins = ["localhost": [Data(count: 32).base64EncodedString()]]
        guard case .tls(let failure) = try await failure(.http1, configuration) else {
            Issue.record("a pin that doesn't fit")
            return
        }
        #expect(failure.reason == .pinMismatch)
    }

    @Test("Through a proxy's tunnel, for ws too")
    func tunnel() async throws {
        let proxy = try LoopbackProxy(user: "u", password: "p")
        var configuration = nginx.trusting
        configuration.proxy = .proxy(.init(host: proxy.host, port: proxy.port, user: "u", password: "p"))
        try await echo(.http1, configuration)
        try await echo(.plain, configuration)
        #expect(proxy.requests.count == 2)
        #expect(proxy.requests.allSatisfy { $0.method == .connect && $0.target.hasPrefix("localhost:") })
        #expect(proxy.requests.allSatisfy { $0.headers["Proxy-Authorization"] == "Basic dTpw" })
    }

    @Test("Through a Unix socket, and to another address")
    func routes() async throws {
        var configuration = TransportConfiguration()
        configuration.unixSocketPath = nginx.directory.path + "/nginx.sock"
        let local = SessionManager(transport: try CurlTransport(configuration: configuration))
        let first = local.webSocket("ws://anything.test/to/\(server.port)/echo")
        try await first.send(.text("a"))
        #expect(try await first.messages.first { _ in true } == .text("a"))
        configuration = TransportConfiguration()
        configuration.hostOverrides = [HostOverride(host: "far.test", address: "127.0.0.1", addressPort: server.port)]
        let elsewhere = SessionManager(transport: try CurlTransport(configuration: configuration))
        let second = elsewhere.webSocket("ws://far.test/echo")
        try await second.send(.text("b"))
        #expect(try await second.messages.first { _ in true } == .text("b"))
        #expect(server.requests.last?.headers["Host"] == "far.test")
    }

    @Test("A process may end in the middle of its sockets")
    func exit() async throws {
        let tool = try #require(ChildProcess.tool("ResourceProbe"), "the ResourceProbe program was not built")
        let arguments = ["exit-sockets", try url(.http1), nginx.file("ca.pem").path]
        let failures = try await HeavyWork.run {
            try (0..<20).map { _ in try ChildProcess.run(tool, arguments, limit: 30) }.filter { $0.exitStatus != 0 }
        }
        #expect(failures.isEmpty, "\(failures.map { "\($0.exitStatus): \($0.complaints)" })")
    }
}
