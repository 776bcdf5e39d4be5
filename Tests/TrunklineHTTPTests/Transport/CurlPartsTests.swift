import CTrunklineCurl
import Foundation
import Testing

@testable import TrunklineHTTP

@Suite("The libcurl transport: its pure parts")
struct CurlPartsTests {
    private func kind(
        _ code: Int, shim: Int = TLC_FAILURE_NONE, connected: Bool = true, head: Bool = false, detail: String = "words"
    ) throws -> ErrorKind {
        let url = try #require(URL(string: "https://h.test/"))
        let failure = CurlFailure(
            code: code, shim: shim, detail: detail, isConnected: connected, hasHead: head, url: url)
        return ErrorKind(failure.error(attaching: nil))
    }

    @Test(
        "Every result of libcurl has its error",
        arguments: [
            (TLC_COULDNT_RESOLVE_HOST, ErrorKind.nameResolution), (TLC_COULDNT_RESOLVE_PROXY, .connectionFailed),
            (TLC_COULDNT_CONNECT, .connectionFailed), (TLC_PROXY, .connectionFailed),
            (TLC_OPERATION_TIMEDOUT, .connectTimeout), (TLC_URL_MALFORMAT, .invalidRequest),
            (TLC_NOT_BUILT_IN, .unsupported), (TLC_WEIRD_SERVER_REPLY, .invalidResponse),
            (TLC_UNSUPPORTED_PROTOCOL, .unsupported), (TLC_BAD_CONTENT_ENCODING, .invalidResponse),
            (TLC_FILESIZE_EXCEEDED, .invalidResponse), (TLC_TOO_LARGE, .invalidResponse),
            (TLC_WRITE_ERROR, .invalidResponse), (TLC_SSL_CONNECT_ERROR, .tls), (TLC_SSL_CERTPROBLEM, .tls),
            (TLC_PEER_FAILED_VERIFICATION, .tls), (TLC_SSL_PINNEDPUBKEYNOTMATCH, .tls), (TLC_SSL_CLIENTCERT, .tls),
            (TLC_SSL_CACERT_BADFILE, .tls), (TLC_OUT_OF_MEMORY, .connectionFailed), (TLC_RECV_ERROR, .connectionFailed),
            (TLC_SEND_ERROR, .connectionFailed), (9999, .connectionFailed),
        ])
    func beforeConnection(_ code: Int, _ expected: ErrorKind) throws {
        #expect(try kind(code, connected: false) == expected)
    }

    @Test(
        "A connection that ends is lost: before the answer, or during it",
        arguments: [
            TLC_GOT_NOTHING, TLC_SEND_ERROR, TLC_RECV_ERROR, TLC_PARTIAL_FILE, TLC_HTTP2, TLC_HTTP2_STREAM,
            TLC_SEND_FAIL_REWIND, 9999,
        ])
    func losses(_ code: Int) throws {
        #expect(try kind(code) == .lostBeforeResponse)
        #expect(try kind(code, head: true) == .lostDuringBody)
    }

    @Test("Words decide where the code doesn't")
    func details() throws {
        #expect(try kind(TLC_OPERATION_TIMEDOUT) == .idleTimeout)
        #expect(try kind(TLC_RECV_ERROR, head: true, detail: "Illegal … in chunked-encoding") == .invalidResponse)
        #expect(try kind(TLC_OUT_OF_MEMORY) == .invalidResponse)
        #expect(try kind(TLC_UNSUPPORTED_PROTOCOL) == .invalidResponse)
        #expect(try kind(TLC_RECV_ERROR, detail: "tlsv13 alert certificate required") == .tls)
        let url = try #require(URL(string: "https://h.test/"))
        let words = [
            "SSL: no alternative certificate subject name matches target host name 'h.test'": TLSFailure.Reason
                .hostMismatch,
            "SSL certificate problem: self-signed certificate": .untrustedCertificate,
        ]
        for (text, reason) in words {
            let failure = CurlFailure(code: TLC_PEER_FAILED_VERIFICATION, detail: text, url: url)
            guard case .tls(let tls) = failure.error(attaching: nil) else {
                Issue.record("\(text)")
                continue
            }
            #expect(tls.reason == reason)
        }
    }

    @Test(
        "What the callbacks find comes before libcurl's code",
        arguments: [
            (TLC_FAILURE_MEMORY, ErrorKind.invalidResponse), (TLC_FAILURE_STATUS_LINE, .invalidResponse),
            (TLC_FAILURE_HEAD_SIZE, .invalidResponse), (TLC_FAILURE_FIELD_COUNT, .invalidResponse),
            (TLC_FAILURE_INFORMATIONAL, .invalidResponse), (TLC_FAILURE_CONTENT_LENGTH, .invalidResponse),
            (TLC_FAILURE_BODY_SIZE, .invalidResponse), (TLC_FAILURE_FILE_WRITE, .file), (TLC_FAILURE_FILE_READ, .file),
            (TLC_FAILURE_BODY_SHORT, .invalidRequest), (TLC_FAILURE_RESENT, .lostBeforeResponse),
        ])
    func shim(_ failure: Int, _ expected: ErrorKind) throws {
        #expect(try kind(TLC_WRITE_ERROR, shim: failure) == expected)
    }

    @Test(
        "Pins go by host: exact, or one label more",
        arguments: [
            ("api.example.com", "api.example.com", true), ("API.example.com", "api.Example.com.", true),
            ("api.example.com", "x.api.example.com", false), ("*.example.com", "api.example.com", true),
            ("*.example.com", "example.com", false), ("*.example.com", "a.b.example.com", false),
            ("*.example.com", "badexample.com", false), ("*", "h", false),
        ])
    func pinPatterns(_ pattern: String, _ host: String, _ expected: Bool) {
        #expect(CurlPins.matches(pattern: pattern, host: host) == expected)
    }

    @Test("Pins fail closed")
    func pinOption() {
        let (one, two) = (Data(repeating: 1, count: 32), Data(repeating: 2, count: 32))
        let (a, b) = (one.base64EncodedString(), two.base64EncodedString())
        #expect(CurlPins.option(pins: ["h": [a]], host: "other") == nil)
        #expect(CurlPins.option(pins: ["h.x": [b, a], "*.x": [a]], host: "h.x") == "sha256//\(a);sha256//\(b)")
        #expect(CurlPins.option(pins: ["h": [a, "not base64"]], host: "h") == "sha256//\(a)")
        let none = "sha256//" + Data(count: 32).base64EncodedString()
        #expect(CurlPins.option(pins: ["h": []], host: "h") == none)
        #expect(CurlPins.option(pins: ["h": ["short"]], host: "h") == none)
    }

    @Test(
        "The origin is scheme, host and port; user and password go",
        arguments: [
            ("http://h/a", "http://h"), ("https://h:8443?x=1", "https://h:8443"),
            ("http://[::1]:80/", "http://[::1]:80"),
            ("http://u:p@h/a@b", "http://h"), ("http://h", "http://h"), ("https://h#f", "https://h"),
        ])
    func origins(_ text: String, _ expected: String) throws {
        let url = try CurlURL(#require(URL(string: text)))
        #expect(url.origin == expected)
        #expect(url.isSecure == text.hasPrefix("https"))
        #expect(
            url.withBytes { String(decoding: $0, as: UTF8.self) } == text.replacingOccurrences(of: "u:p@", with: ""))
    }

    @Test("Host overrides are written as libcurl reads them")
    func overrides() {
        #expect(CurlOptions.connectTo(HostOverride(host: nil, address: "::1")) == "::[::1]:")
        #expect(
            CurlOptions.connectTo(HostOverride(host: "h", port: 80, address: "10.0.0.1", addressPort: 8080))
                == "h:80:10.0.0.1:8080")
    }

    @Test("Limits become nanoseconds without overflow")
    func nanoseconds() {
        #expect(CurlTransfer.nanoseconds(nil) == 0)
        #expect(CurlTransfer.nanoseconds(.milliseconds(1)) == 1_000_000)
        #expect(CurlTransfer.nanoseconds(.zero) == 1)
        #expect(CurlTransfer.nanoseconds(.seconds(-5)) == 1)
        #expect(CurlTransfer.nanoseconds(.seconds(Int64.max)) == Int64(1e17))
    }

    @Test("A library that isn't there, or isn't libcurl, is a typed error", arguments: ["/nowhere.so", "libc.so.6"])
    func noLibrary(_ path: String) {
        #expect { try CurlTransport(libraryPath: path) } throws: { ErrorKind($0) == .unsupported }
    }

    @Test("The capabilities tell what was found")
    func capabilities() throws {
        let capabilities = try CurlTransport().capabilities
        #expect(capabilities.name == "libcurl")
        #expect(capabilities.version?.first?.isNumber == true)
        #expect(capabilities.features.isSuperset(of: [.connectTimeout, .backpressure, .pausing, .metrics, .trailers]))
    }
}
