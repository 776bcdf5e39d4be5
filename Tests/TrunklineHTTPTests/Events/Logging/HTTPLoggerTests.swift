import Foundation
import Testing
import TrunklineTesting

@testable import TrunklineHTTP

@Suite("The logger")
struct HTTPLoggerTests {
    private func session(_ logger: HTTPLogger, answer: @escaping StubTransport.Answer) -> SessionManager {
        SessionManager(
            configuration: SessionConfiguration(
                headers: [:], retry: RetryPolicy(limit: 2, baseDelay: .zero), eventMonitors: [logger]),
            transport: StubTransport(answer))
    }

    @Test("One line a request: method, URL, status, size, time, attempts")
    func basic() async throws {
        let lines = Collector<String>()
        let session = session(HTTPLogger(to: .closure { lines.add($0) })) { exchange in
            if exchange.attempt == 1 { return .stub(for: exchange, status: 503) }
            return .stub(for: exchange, data: Data(repeating: 0x61, count: 4100))
        }
        let request = session.request("http://h/books?page=2")
        _ = try await request.response()
        let pattern = #"^#\d+ GET http://h/books\?page=2 200 4\.1 kB in [0-9.]+ m?s \(2 attempts\)$"#
        // Whoever comes to wait just as the request ends may hear of it before the logger does.
        #expect(await eventually { lines.all.count == 1 })
        #expect(lines.all.first?.range(of: pattern, options: .regularExpression) != nil, "\(lines.all)")
        _ = try? await session.request("no url").response()
        #expect(await eventually { lines.all.count == 2 })
        #expect(lines.all.last?.contains("(no request) failed: ") == true, "\(lines.all)")
        _ = try? await session.send("http://h/", throwing: { throw HTTPError.offline })
        #expect(await eventually { lines.all.count == 3 })
    }

    @Test("Levels")
    func levels() async throws {
        for level in HTTPLogger.Level.allCases {
            let lines = Collector<String>()
            let session = session(HTTPLogger(level, to: .closure { lines.add($0) })) {
                .stub(for: $0, headers: ["X-A": "1"], json: #"{"b":[1,2],"a":"x"}"#)
            }
            _ = try await session.send(
                HTTPRequest(
                    method: .post, url: try #require(URL(string: "http://h/")), headers: ["X-Q": "2"],
                    body: .data(Data("hello\nworld".utf8), contentType: "text/plain")))
            let text = lines.all.joined(separator: "\n")
            #expect(lines.count == (level == .none ? 0 : 1))
            #expect(
                text.contains("> X-Q: 2") == (level >= .headers) && text.contains("< X-A: 1") == (level >= .headers))
            #expect(text.contains("> hello\n> world") == (level == .body))
            #expect(text.contains("<   \"a\" : \"x\"") == (level == .body), "\(text)")
            #expect(text.contains("(11 B)") == (level == .headers))
        }
    }

    @Test("Contents are bounded, binary ones are counted, control characters are escaped, colour is for terminals")
    func bounds() async throws {
        let lines = Collector<String>()
        let session = session(HTTPLogger(.body, to: .closure { lines.add($0) }, maximumBodyBytes: 10)) { exchange in
            let isBinary = exchange.request.url.path == "/binary"
            return .stub(
                for: exchange, headers: ["X-Evil": "a\u{1B}[31mb"],
                data: isBinary ? Data([0xFF, 0, 1]) : Data("0123456789abcdef\u{1B}[2J".utf8))
        }
        _ = try await session.send("http://h/text")
        _ = try await session.send("http://h/binary")
        let text = lines.all.joined(separator: "\n")
        #expect(text.contains("< 0123456789\n< (cut; 20 B in all)"), "\(text)")
        #expect(text.contains("(3 B of binary data)") && !text.contains("\u{1B}") && text.contains("\\u{1b}[31m"))
        #expect(LogStyle(isColoured: true).apply(.red, "x") == "\u{1B}[31mx\u{1B}[0m")
        #expect(!LogStyle.isTerminal(99) && LogStyle.plain("a\u{202E}b") == "a\\u{202e}b")
    }

    @Test("A stream's content is logged at its end; a logger keeps nothing of requests that have ended")
    func streams() async throws {
        let server = try LoopbackServer { $0.fallback(respond: .chunked(["one ", "two"])) }
        let lines = Collector<String>()
        let session = SessionManager(
            configuration: SessionConfiguration(eventMonitors: [HTTPLogger(.body, to: .closure { lines.add($0) })]))
        for try await _ in session.stream("\(server.baseURL)/").chunks {}
        #expect(await eventually { lines.count == 1 })
        #expect(lines.all.first?.contains("one two") == true, "\(lines.all)")
    }

    @Test(
        "Sizes and times",
        arguments: [(0, "0 B"), (999, "999 B"), (4100, "4.1 kB"), (999_999, "1.0 MB"), (2_300_000_000, "2.3 GB")])
    func sizes(bytes: Int64, text: String) {
        #expect(LogWriter.size(bytes) == text)
        #expect(LogWriter.time(.microseconds(400)) == "0.4 ms" && LogWriter.time(.milliseconds(1200)) == "1.2 s")
    }
}

extension SessionManager {
    /// Sends a request that an interceptor ends.
    fileprivate func send(_ url: String, throwing: @escaping @Sendable () throws -> Void) async throws {
        _ = try await send(
            url,
            interceptors: [
                ClosureInterceptor { exchange, next in
                    try throwing()
                    return try await next(exchange)
                }
            ])
    }
}
