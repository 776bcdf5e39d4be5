import Foundation
import TestSupport
import Testing
import TrunklineTesting

@testable import TrunklineHTTP

@Suite(
    "The libcurl transport against nginx: TLS, HTTP/2, identities, codings",
    .enabled(if: NginxFixture.isWanted, "nginx or openssl is not installed"), .serialized)
struct NginxTests {
    private let nginx: NginxFixture

    init() async throws { nginx = try await NginxFixture.start() }

    private func ending(
        _ site: NginxFixture.Site, _ configuration: TransportConfiguration, host: String = "localhost",
        path: String = "/hello"
    ) async throws -> Ending {
        let transport = try CurlTransport(configuration: configuration)
        return await transport.ending(of: HTTPRequest(url: try nginx.url(site, path, host: host)))
    }

    private func tlsReason(_ ending: Ending) -> TLSFailure.Reason? {
        if case .tls(let failure) = ending.error { failure.reason } else { nil }
    }

    @Test("A CA of the app's is trusted, from a file or from memory; the system's roots are not enough")
    func trust() async throws {
        var configuration = nginx.trusting
        #expect(try await ending(.valid, configuration).text?.hasPrefix("hello HTTP/2.0") == true)
        #expect(try await ending(.valid, configuration, host: "127.0.0.1").text?.hasPrefix("hello") == true)
        configuration.tls.trust = .caPEM(try Data(contentsOf: nginx.file("ca.pem")))
        #expect(try await ending(.valid, configuration).text?.hasPrefix("hello") == true)
        #expect(tlsReason(try await ending(.valid, TransportConfiguration())) == .untrustedCertificate)
    }

    @Test("TLS failures are told apart")
    func failures() async throws {
        var configuration = nginx.trusting
        #expect(tlsReason(try await ending(.untrusted, configuration)) == .untrustedCertificate)
        #expect(tlsReason(try await ending(.expired, configuration)) == .untrustedCertificate)
        #expect(tlsReason(try await ending(.wrongName, configuration)) == .hostMismatch)
        configuration.tls.minimumVersion = .tls13
        #expect(tlsReason(try await ending(.tls12, configuration)) == .handshake)
        configuration.tls.minimumVersion = .tls12
        #expect(try await ending(.tls12, configuration).text?.hasSuffix("TLSv1.2") == true)
        configuration.tls.trust = .caFile(nginx.file("nowhere.pem"))
        #expect(tlsReason(try await ending(.valid, configuration)) == .configuration)
        let transport = try CurlTransport()
        let plain = try #require(URL(string: "https://localhost:\(nginx.ports[.plain] ?? 0)/"))
        #expect(tlsReason(await transport.ending(of: HTTPRequest(url: plain))) == .handshake)
    }

    @Test("A pinned key is enough with a valid certificate; any other key fails, as does no key at all")
    func pins() async throws {
        let nginx = nginx
        let (right, other) = try await onThread { (try nginx.pin(of: "server"), try nginx.pin(of: "other")) }
        var configuration = nginx.trusting
        configuration.tls.pins = ["localhost": [other, right]]
        #expect(try await ending(.valid, configuration).kind == .none)
        configuration.tls.pins = ["elsewhere.test": [other]]
        #expect(try await ending(.valid, configuration).kind == .none)
        for pins in [["localhost": [other]], ["LOCALHOST.": []], ["localhost": ["rubbish"]]] {
            configuration.tls.pins = pins
            #expect(tlsReason(try await ending(.valid, configuration)) == .pinMismatch)
        }
        configuration = TransportConfiguration()
        configuration.tls.pins = ["localhost": [right]]
        #expect(tlsReason(try await ending(.valid, configuration)) == .untrustedCertificate)
    }

    @Test("Client certificates: PEM files, PKCS #12, none, one that can't be read")
    func clientCertificates() async throws {
        var configuration = nginx.trusting
        #expect(try await ending(.valid, configuration).text?.contains("NONE") == true)
        let none = try await ending(.clientsOnly, configuration)
        // nginx lets the handshake pass and answers 400.
        #expect(none.response?.statusCode == 400)
        configuration.tls.clientIdentity = .pemFiles(
            certificate: nginx.file("client.pem"), key: nginx.file("client.key"))
        #expect(try await ending(.clientsOnly, configuration).text?.contains("SUCCESS") == true)
        configuration.tls.clientIdentity = .pkcs12File(nginx.file("client.p12"), password: "secret")
        #expect(try await ending(.clientsOnly, configuration).text?.contains("SUCCESS") == true)
        configuration.tls.clientIdentity = .pkcs12File(nginx.file("client.p12"), password: "wrong")
        #expect(tlsReason(try await ending(.clientsOnly, configuration)) == .configuration)
        configuration.tls.clientIdentity = .pemFiles(certificate: nginx.file("no.pem"), key: nginx.file("client.key"))
        #expect(tlsReason(try await ending(.clientsOnly, configuration)) == .configuration)
    }

    @Test("HTTP/2 where the server offers it and the policy allows it")
    func versions() async throws {
        var configuration = nginx.trusting
        let h2 = try await ending(.valid, configuration)
        #expect(h2.response?.metrics?.networkProtocol == "h2")
        #expect(try #require(h2.response?.metrics?.secureConnect) > .zero)
        #expect(try await ending(.http1, configuration).response?.metrics?.networkProtocol == "http/1.1")
        configuration.http2 = .disabled
        #expect(try await ending(.valid, configuration).response?.metrics?.networkProtocol == "http/1.1")
    }

    @Test("Many requests share one HTTP/2 connection")
    func multiplexing() async throws {
        let transport = try CurlTransport(configuration: nginx.trusting)
        let url = try nginx.url(.valid, "/text.txt")
        let responses = await withTaskGroup(of: HTTPResponse?.self) { group in
            for _ in 0..<200 { group.addTask { await transport.ending(of: HTTPRequest(url: url)).response } }
            return await group.reduce(into: [HTTPResponse?]()) { $0.append($1) }
        }
        #expect(responses.allSatisfy { $0?.statusCode == 200 && $0?.data.count == 44_000 })
        #expect(responses.filter { $0?.metrics?.isReusedConnection == false }.count == 1)
    }

    @Test("Over HTTP/2 too: streams both ways, files, cancellation, late answers")
    func http2Bodies() async throws {
        let transport = try CurlTransport(configuration: nginx.trusting)
        var request = HTTPRequest(url: try nginx.url(.valid, "/text.txt"))
        request.options.delivery = .stream
        let streamed = try await transport.send(Exchange(request: request))
        #expect(try await collect(streamed.body).count == 44_000)
        let file = try ScratchFile(Data(count: 300_000))
        let bodies = [
            RequestBody.data(Data(count: 1000)), .data(Data(count: 300_000)), try .file(file.url),
            .stream { .init(unfolding: once(Data(count: 300_000))) },
        ]
        for body in bodies {
            let upload = HTTPRequest(method: .post, url: try nginx.url(.valid, "/upload"), body: body)
            let ending = await transport.ending(of: upload)
            #expect(ending.response?.statusCode == 200, "\(String(describing: ending.error))")
        }
        let task = Task { await transport.ending(of: request) }
        task.cancel()
        _ = await task.value
        #expect(await transport.ending(of: HTTPRequest(url: request.url)).response?.data.count == 44_000)
    }

    @Test("gzip is decoded; the length on the wire is no total (A37)")
    func gzip() async throws {
        let transport = try CurlTransport(configuration: nginx.trusting)
        let seen = Protected<[TransferProgress]>([])
        let observer = ProgressObserver(received: { progress in seen.withLock { $0.append(progress) } })
        for site in [NginxFixture.Site.valid, .plain] {
            let request = HTTPRequest(url: try nginx.url(site, "/text.txt"))
            let ending = await transport.ending(of: request, progress: observer)
            #expect(ending.response?.headers["Content-Encoding"] == "gzip")
            #expect(ending.response?.data.count == 44_000)
            #expect(try #require(ending.response?.metrics?.bytesReceived) < 5000)
            #expect(seen.current.last == TransferProgress(completed: 44_000, total: nil))
        }
        let raw = HTTPRequest(url: try nginx.url(.plain, "/text.txt"), headers: ["Accept-Encoding": "gzip"])
        #expect(try #require(await transport.ending(of: raw).response).data.count < 5000)
    }

    @Test("A Unix-domain socket")
    func unixSocket() async throws {
        var configuration = TransportConfiguration()
        configuration.unixSocketPath = nginx.file("nginx.sock").path
        let transport = try CurlTransport(configuration: configuration)
        let url = try #require(URL(string: "http://any.test/hello"))
        #expect(await transport.ending(of: HTTPRequest(url: url)).text?.hasPrefix("hello HTTP/1.1") == true)
        configuration.unixSocketPath = "/nowhere.sock"
        let nowhere = try CurlTransport(configuration: configuration)
        #expect(await nowhere.ending(of: HTTPRequest(url: url)).kind == .connectionFailed)
    }

    @Test("A host override connects elsewhere; TLS keeps the name of the URL")
    func hostOverride() async throws {
        var configuration = nginx.trusting
        configuration.hostOverrides = [
            HostOverride(host: "other.test", address: "127.0.0.1", addressPort: nginx.ports[.wrongName]),
            HostOverride(host: "bad.test", address: "127.0.0.1", addressPort: nginx.ports[.wrongName]),
        ]
        let transport = try CurlTransport(configuration: configuration)
        let right = try #require(URL(string: "https://other.test/hello"))
        #expect(await transport.ending(of: HTTPRequest(url: right)).text?.hasPrefix("hello") == true)
        let wrong = try #require(URL(string: "https://bad.test/hello"))
        #expect(tlsReason(await transport.ending(of: HTTPRequest(url: wrong))) == .hostMismatch)
    }

    @Test("A process may end in the middle of its exchanges")
    func exit() async throws {
        let tool = try #require(ChildProcess.tool("ResourceProbe"), "the ResourceProbe program was not built")
        let arguments = ["exit", try nginx.url(.http1, "/hello").absoluteString, nginx.file("ca.pem").path]
        let failures = try await HeavyWork.run {
            try (0..<20).map { _ in try ChildProcess.run(tool, arguments, limit: 30) }.filter { $0.exitStatus != 0 }
        }
        #expect(failures.isEmpty, "\(failures.map { "\($0.exitStatus): \($0.complaints)" })")
    }

    @Test("https through an HTTP proxy goes through a tunnel, with the proxy's credentials for the proxy alone")
    func tunnel() async throws {
        let proxy = try LoopbackProxy(user: "u", password: "p")
        var configuration = nginx.trusting
        configuration.proxy = .proxy(.init(host: proxy.host, port: proxy.port, user: "u", password: "p"))
        let ending = try await ending(.valid, configuration)
        #expect(ending.text?.hasPrefix("hello HTTP/2.0") == true, "\(String(describing: ending.error))")
        #expect(ending.response?.headers.contains("Via") == false)
        let request = try #require(proxy.requests.first)
        #expect(request.method == .connect && request.target == "localhost:\(nginx.ports[.valid] ?? 0)")
        #expect(request.headers["Proxy-Authorization"] == "Basic dTpw")
    }
}
