import Foundation
import Testing
import TrunklineTesting

@Suite("Loopback TLS", .enabled(if: curlIsThere && LoopbackTLS.isAvailable))
struct LoopbackTLSTests {
    private let server: LoopbackServer

    init() throws { server = try LoopbackServer { $0.addStandardRoutes() } }

    private func transport(trusting pem: Data?, _ change: (inout TransportConfiguration) -> Void = { _ in }) throws
        -> CurlTransport
    {
        var configuration = TransportConfiguration()
        if let pem { configuration.tls.trust = .caPEM(pem) }
        change(&configuration)
        return try CurlTransport(configuration: configuration)
    }

    @Test("A client that trusts the authority gets its answers, by name and address")
    func trusted() async throws {
        let secure = try LoopbackTLS(to: server)
        #expect(secure.baseURL.absoluteString == "https://localhost:\(secure.port)")
        let transport = try transport(trusting: secure.authorityPEM)
        for base in [secure.baseURL.absoluteString, "https://127.0.0.1:\(secure.port)"] {
            let response = try await transport.answer(request(.get, "/bytes/3000000", base: base))
            #expect(response.data == LoopbackPattern().bytes(count: 3_000_000))
        }
        let body = LoopbackPattern(seed: 2).bytes(count: 3_000_000)
        let upload = try await transport.answer(
            request(.put, "/upload", base: secure.baseURL.absoluteString, body: .data(body)))
        #expect(try JSONValue(parsing: upload.data)["bytes"] == 3_000_000)
        #expect(server.requests.last?.bodyChecksum == LoopbackChecksum(of: body).value)
        #expect(secure.handshakeCount >= 1 && secure.failedHandshakeCount == 0)
    }

    @Test("Many requests at once")
    func many() async throws {
        let secure = try LoopbackTLS(to: server)
        defer { secure.stop() }
        let transport = try transport(trusting: secure.authorityPEM)
        let base = secure.baseURL.absoluteString
        let counts = try await withThrowingTaskGroup(of: Int.self) { group in
            for index in 1...60 {
                group.addTask {
                    try await transport.answer(request(.get, "/bytes/\(index * 1000)", base: base)).data.count
                }
            }
            return try await group.reduce(into: [Int]()) { $0.append($1) }
        }
        #expect(counts.sorted() == (1...60).map { $0 * 1000 })
    }

    @Test("Strangers, other names and expired certificates are refused")
    func refused() async throws {
        let secure = try LoopbackTLS(to: server)
        let other = try LoopbackTLS(to: server, hosts: ["other.test"])
        let expired = try LoopbackTLS(to: server, isExpired: true)
        func reason(_ tls: LoopbackTLS, _ transport: CurlTransport) async throws -> TLSFailure.Reason? {
            let asked = try request(.get, "/get", base: "https://localhost:\(tls.port)")
            let error = await #expect(throws: HTTPError.self) { _ = try await transport.answer(asked) }
            guard case .tls(let failure)? = error else { return nil }
            return failure.reason
        }
        #expect(try await reason(secure, transport(trusting: nil)) == .untrustedCertificate)
        #expect(try await reason(secure, transport(trusting: other.authorityPEM)) == .untrustedCertificate)
        #expect(try await reason(other, transport(trusting: other.authorityPEM)) == .hostMismatch)
        #expect(try await reason(expired, transport(trusting: expired.authorityPEM)) == .untrustedCertificate)
        #expect(server.requestCount == 0)
        #expect(await eventually { secure.failedHandshakeCount >= 1 })
    }

    @Test("A host that can't be in a certificate is refused with words", arguments: ["a,DNS:b", "", "a b", "é"])
    func badHost(_ host: String) throws {
        #expect(throws: LoopbackError.self) { _ = try LoopbackTLS(to: server, hosts: [host]) }
        #expect(throws: LoopbackError.self) { _ = try LoopbackTLS(to: server, hosts: []) }
    }

    @Test("Plain text is no handshake; stopping ends what is open")
    func plain() async throws {
        let secure = try LoopbackTLS(to: server)
        let ended = try await onThread {
            let client = try RawClient(port: secure.port)
            try client.send("GET / HTTP/1.1\r\n\r\n")
            _ = try? client.readToEnd()
            let idle = try RawClient(port: secure.port)
            secure.stop()
            return (try? idle.readToEnd())?.isEmpty ?? true
        }
        #expect(ended)
        #expect(secure.failedHandshakeCount >= 1)
    }
}
