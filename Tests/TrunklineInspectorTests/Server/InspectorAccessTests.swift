import Foundation
import TestSupport
import Testing
import TrunklineTesting

@testable import TrunklineInspector

@Suite("Inspector: who may read")
struct InspectorAccessTests {
    /// The answer to a request as it is written here.
    private func answer(_ inspector: Inspector, _ head: String, _ method: String = "GET") async throws
        -> RawClient.Answer
    {
        try await onThread {
            let client = try RawClient(inspector.server)
            try client.send("\(head)\r\nConnection: close\r\n\r\n")
            return try client.readAnswer(to: method)
        }
    }

    @Test("The page answers to its own name and token, and to nothing else")
    func guarding() async throws {
        let inspector = try Inspector()
        defer { inspector.stop() }
        let path = inspector.url.path.hasSuffix("/") ? inspector.url.path : inspector.url.path + "/"
        let (token, port) = (path.dropFirst().dropLast(), inspector.server.port)
        #expect(inspector.url.host == "127.0.0.1" && inspector.server.host == "127.0.0.1" && token.count == 32)
        let host = "Host: 127.0.0.1:\(port)"
        for (head, status) in [
            ("GET \(path) HTTP/1.1\r\n\(host)", 200),
            ("GET \(path)?x=1 HTTP/1.1\r\n\(host)", 200),
            ("GET \(path) HTTP/1.1\r\nHost: localhost:\(port)", 200),
            ("GET \(path)script.js HTTP/1.1\r\n\(host)\r\nSec-Fetch-Site: same-origin", 200),
            ("GET \(path) HTTP/1.1\r\n\(host)\r\nSec-Fetch-Site: none", 200),
            ("GET \(path)har HTTP/1.1\r\n\(host)\r\nOrigin: http://127.0.0.1:\(port)", 200),
            // Without the token, or with a part of it, or a wrong one of the same length.
            ("GET / HTTP/1.1\r\n\(host)", 403),
            ("GET /\(token.dropLast())/ HTTP/1.1\r\n\(host)", 403),
            ("GET /\(String(token.reversed()))/har HTTP/1.1\r\n\(host)", 403),
            ("GET /\(token) HTTP/1.1\r\n\(host)", 403),
            ("GET /x\(path)har HTTP/1.1\r\n\(host)", 403),
            // A name that was made to lead here, and the port of another server.
            ("GET \(path) HTTP/1.1\r\nHost: evil.example:\(port)", 403),
            ("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1.evil.example:\(port)", 403),
            ("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1", 403),
            ("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:1", 403),
            // Other pages, also one that knows the token.
            ("GET \(path)har HTTP/1.1\r\n\(host)\r\nOrigin: http://evil.example", 403),
            ("POST \(path)clear HTTP/1.1\r\n\(host)\r\nContent-Length: 0\r\nOrigin: null", 403),
            ("GET \(path)har HTTP/1.1\r\n\(host)\r\nSec-Fetch-Site: cross-site", 403),
            ("GET \(path) HTTP/1.1\r\n\(host)\r\nSec-Fetch-Site: same-site", 403),
            // What there is not.
            ("GET \(path)../har HTTP/1.1\r\n\(host)", 404),
            ("GET \(path)nothing HTTP/1.1\r\n\(host)", 404),
            ("GET \(path)exchanges/99999999 HTTP/1.1\r\n\(host)", 404),
            ("GET \(path)exchanges/-1 HTTP/1.1\r\n\(host)", 404),
            ("GET \(path)clear HTTP/1.1\r\n\(host)", 404),
            ("POST \(path) HTTP/1.1\r\n\(host)\r\nContent-Length: 0", 404),
        ] {
            let answer = try await answer(inspector, head)
            #expect(answer.status == status, "\(head): \(answer.statusLine)")
            for (name, value) in [
                ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"), ("X-Frame-Options", "DENY"),
                ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Resource-Policy", "same-origin"),
            ] { #expect(answer.headers[name] == value, "\(head): \(name)") }
            let policy = try #require(answer.headers["Content-Security-Policy"])
            #expect(policy.hasPrefix("default-src 'none';") && !policy.contains("unsafe") && !policy.contains("*"))
            #expect(!answer.headers.contains { $0.name.lowercased().hasPrefix("access-control-") })
            if status == 403 { #expect(!answer.text.contains(token)) }
        }
        // A preflight gets no leave.
        let preflight = try await answer(
            inspector, "OPTIONS \(path)clear HTTP/1.1\r\n\(host)\r\nOrigin: http://evil.example", "OPTIONS")
        #expect(preflight.status == 403)
        let head = try await answer(inspector, "HEAD \(path) HTTP/1.1\r\n\(host)", "HEAD")
        #expect(head.status == 200)
    }

    @Test("Every inspector has a token of its own, and is gone when it is released or stopped")
    func ends() async throws {
        var first: Inspector? = try Inspector()
        let second = try Inspector()
        #expect(first?.url.path != second.url.path)
        let (server, path) = try #require(first.map { ($0.server, $0.url.path) })
        first = nil
        second.stop()
        second.stop()
        for (server, path) in [(server, path), (second.server, second.url.path)] {
            // The port may be that of another test's server by now.
            let status = await onThread { () -> Int? in
                guard let client = try? RawClient(server, timeout: 5) else { return nil }
                try? client.get(path + "/")
                return (try? client.readAnswer())?.status
            }
            #expect(status != 200)
        }
        #expect(second.har().log.entries.isEmpty)
    }

    @Test("The page's files name nothing outside, and turn no text into markup")
    func assets() throws {
        #expect(PageAsset.all.count == 4)
        for (name, asset) in PageAsset.all {
            let text = asset.text.replacingOccurrences(of: "http://www.w3.org/2000/svg", with: "")
            for word in ["http:", "https:", "//cdn", "@import", "url(", "data:"] {
                #expect(!text.replacingOccurrences(of: "data-", with: "").contains(word), "\(name) has \(word)")
            }
            for word in [
                "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "srcdoc",
                "DOMParser", "createContextualFragment", "localStorage", " style=", " onclick=",
            ] { #expect(!text.contains(word), "\(name) has \(word)") }
        }
    }
}
