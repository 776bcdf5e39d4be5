import Foundation
import TestSupport
import Testing
import TrunklineTesting

@testable import TrunklineInspector

@Suite("Inspector: a session's requests over real sockets")
struct InspectorServiceTests {
    /// What the page hears.
    private struct Update: Decodable {
        struct Exchange: Decodable {
            let id: UInt64
            let method: String
            let path: String
            let state: String
            let status: Int?
            let attempts: Int
            let redirects: Int
            let retries: Int
            let phases: [Phase]
        }
        struct Phase: Decodable {
            let kind: String
            let from: Double
            let to: Double
        }

        let now: Double
        let reset: Bool
        let removed: [UInt64]
        let exchanges: [Exchange]
    }

    private struct Refusal: Error { let line: String }

    /// A page that listens. Blocks: belongs into `onThread`.
    private final class Listener {
        let client: RawClient
        var lastID = ""

        init(_ inspector: Inspector, after id: String? = nil) throws {
            client = try RawClient(inspector.server)
            let field = id.map { "Last-Event-ID: \($0)\r\n" } ?? ""
            try client.send(
                "GET \(inspector.url.path)/events HTTP/1.1\r\nHost: 127.0.0.1:\(inspector.server.port)\r\n\(field)\r\n"
                    .replacingOccurrences(of: "//events", with: "/events"))
            let status = try client.readLine()
            let headers = try client.readFields()
            guard status.contains(" 200 "), headers["Content-Type"] == "text/event-stream" else {
                throw Refusal(line: status)
            }
        }

        func next() throws -> Update {
            while true {
                let line = try Listener.line(client)
                if line.hasPrefix("id: ") { lastID = String(line.dropFirst(4)) }
                if line.hasPrefix("data: ") {
                    return try JSONDecoder().decode(Update.self, from: Data(line.dropFirst(6).utf8))
                }
            }
        }

        /// Reads updates until one has what is looked for.
        func next(where matches: (Update) -> Bool) throws -> Update {
            while true {
                let update = try next()
                if matches(update) { return update }
            }
        }

        /// A line with a bare line feed.
        private static func line(_ client: RawClient) throws -> String {
            var bytes: [UInt8] = []
            while let byte = try client.readByte() {
                if byte == 0x0A { return String(decoding: bytes, as: UTF8.self) }
                bytes.append(byte)
            }
            throw Refusal(line: "the end")
        }
    }

    private func get(_ inspector: Inspector, _ path: String, method: String = "GET") async throws -> RawClient.Answer {
        try await onThread {
            let client = try RawClient(inspector.server)
            let prefix = inspector.url.path.hasSuffix("/") ? inspector.url.path : inspector.url.path + "/"
            try client.send(
                "\(method) \(prefix)\(path) HTTP/1.1\r\nHost: 127.0.0.1:\(inspector.server.port)\r\n"
                    + "Content-Length: 0\r\nConnection: close\r\n\r\n")
            return try client.readAnswer(to: method)
        }
    }

    private func session(_ inspector: Inspector, retry: RetryPolicy = .never) -> SessionManager {
        SessionManager(
            configuration: SessionConfiguration(retry: retry, eventMonitors: [inspector]), cache: ResponseCache())
    }

    @Test("A page hears everything first, then what changes; one that comes again goes on where it was")
    func live() async throws {
        let server = try LoopbackServer { $0.fallback(respond: .text("content")) }
        let inspector = try Inspector()
        defer { inspector.stop() }
        let session = session(inspector)
        let first = session.request("\(server.baseURL)/one")
        _ = try await first.response()
        let id = try await onThread {
            let listener = try Listener(inspector)
            let all = try listener.next()
            #expect(all.reset && all.exchanges.map(\.path) == ["/one"] && all.exchanges.first?.status == 200)
            return listener.lastID
        }
        let second = session.request("\(server.baseURL)/two")
        _ = try await second.response()
        try await onThread {
            let listener = try Listener(inspector, after: id)
            let news = try listener.next(where: { $0.exchanges.first?.state == "done" })
            #expect(!news.reset && news.exchanges.map(\.id) == [second.id.value])
            inspector.clear()
            let cleared = try listener.next(where: { !$0.removed.isEmpty })
            #expect(Set(cleared.removed) == [first.id.value, second.id.value] && cleared.exchanges.isEmpty)
            // A revision of another run.
            #expect(try Listener(inspector, after: "99999999").next().reset)
        }
    }

    @Test("No more than eight pages listen; one that leaves makes room")
    func listeners() async throws {
        let inspector = try Inspector()
        defer { inspector.stop() }
        try await onThread {
            var listeners = try (0..<8).map { _ in try Listener(inspector) }
            #expect(waitUntil { (try? Listener(inspector).next()) == nil })
            listeners.removeLast().client.close()
            #expect(waitUntil { (try? Listener(inspector).next()) != nil })
        }
    }

    @Test("Redirects, retries, a failure and a refused request, with their attempts and decisions")
    func details() async throws {
        let count = Protected(0)
        let server = try LoopbackServer { server in
            server.route(.get, "/old", respond: .redirect(to: "/new"))
            server.route(.get, "/new", respond: .json(#"{"a":1}"#))
            server.route(.get, "/flaky") { _ in
                count.withLock { count in
                    count += 1
                    return count == 1 ? .status(503) : .text("at last")
                }
            }
        }
        let inspector = try Inspector()
        defer { inspector.stop() }
        let session = session(inspector, retry: RetryPolicy(limit: 1, baseDelay: .milliseconds(1)))
        let old = session.request("\(server.baseURL)/old")
        _ = try await old.response()
        let flaky = session.request("\(server.baseURL)/flaky")
        _ = try await flaky.response()
        let missing = session.request("\(server.baseURL)/missing")
        await #expect(throws: HTTPError.self) { try await missing.response() }
        let refused = session.request("nowhere")
        await #expect(throws: HTTPError.self) { try await refused.response() }
        #expect(inspector.exchangeCount == 4)

        for (request, state, attempts, text) in [
            (old, "done", 2, "Redirect 302 followed: GET \(server.baseURL)/new"),
            (flaky, "done", 2, "status 503"), (missing, "failed", 1, "Failed: "), (refused, "failed", 0, "Failed: "),
        ] {
            let answer = try await get(inspector, "exchanges/\(request.id.value)")
            let json = try JSONValue(parsing: answer.body)
            #expect(json["summary"]?["state"] == .string(state), "\(answer.text)")
            #expect(json["attempts"]?.array?.count == attempts, "\(answer.text)")
            #expect(answer.text.contains(text), "\(answer.text)")
        }
        let har = try HARFile(parsing: try await get(inspector, "har").body)
        #expect(har.log.entries.map(\.response.status) == [302, 200, 503, 200, 404])
        #expect(har.log == inspector.har().log)
        #expect(try await get(inspector, "clear", method: "POST").status == 204)
        #expect(inspector.exchangeCount == 0)
    }

    @Test("What is planted as a secret shows nowhere, unless everything is to be shown")
    func secrets() async throws {
        let server = try LoopbackServer { server in
            server.fallback { _ in
                .json(#"{"access_token":"planted-1","name":"shown-1"}"#)
                    .addingHeader("Set-Cookie", "id=planted-2").addingHeader("X-Plain", "shown-2")
            }
        }
        let body = RequestBody.data(
            Data(#"{"password":"planted-3","note":"shown-3"}"#.utf8), contentType: "application/json")
        let endpoint = Endpoint.post(
            "\(server.baseURL)/a?api_key=planted-4&page=shown-4", headers: [.bearer("planted-5")], body: body)
        for (redaction, isHidden) in [(Redaction.standard, true), (.none, false)] {
            let inspector = try Inspector(redaction: redaction)
            defer { inspector.stop() }
            let session = session(inspector)
            let request = session.request(endpoint)
            _ = try await request.response()
            let live = try await onThread { "\(try Listener(inspector).next())" }
            let details = try await get(inspector, "exchanges/\(request.id.value)").text
            let har = try await get(inspector, "har").text
            #expect(live.contains("planted-4") == !isHidden && live.contains("shown-4"))
            for text in [details, har] {
                for number in 1...5 { #expect(text.contains("planted-\(number)") == !isHidden, "\(number)") }
                for number in 1...4 { #expect(text.contains("shown-\(number)"), "\(number)") }
            }
        }
    }

    @Test("The wait for the answer to an upload is a wait, not a part of receiving")
    func uploadWait() async throws {
        let server = try LoopbackServer { $0.fallback(respond: .text("late").delayed(by: .milliseconds(150))) }
        let inspector = try Inspector()
        defer { inspector.stop() }
        let session = session(inspector)
        for body in [
            RequestBody.data(Data("x=1".utf8)),
            .stream(length: 3) {
                .init {
                    $0.yield(Data("x=1".utf8))
                    $0.finish()
                }
            },
        ] {
            _ = try await session.request(Endpoint.post("\(server.baseURL)/a", body: body)).response()
        }
        let update = try await onThread { try Listener(inspector).next() }
        #expect(update.exchanges.count == 2)
        for exchange in update.exchanges {
            let wait = exchange.phases.filter { $0.kind == "wait" }.reduce(0) { $0 + $1.to - $1.from }
            #expect(wait >= 100, "\(exchange.phases)")
        }
    }

    @Test("A stream is listed while it lasts, and its content is kept in part")
    func streams() async throws {
        let gate = LoopbackGate()
        let server = try LoopbackServer { server in
            server.route(.get, "/s") { _ in
                .pipe(headers: ["Content-Type": "text/plain"]) { pipe in
                    pipe.send("first ")
                    try await gate.wait()
                    pipe.send(String(repeating: "x", count: 5000))
                }
            }
        }
        defer { gate.open() }
        let inspector = try Inspector(maximumBodyBytes: 1000)
        defer { inspector.stop() }
        let session = session(inspector)
        let stream = session.stream("\(server.baseURL)/s")
        _ = try await stream.head()
        let active = try await get(inspector, "exchanges/\(stream.id.value)").text
        #expect(active.contains(#""state":"active""#) && active.contains(#""status":200"#))
        gate.open()
        for try await _ in stream.chunks {}
        #expect(await eventually { inspector.har().log.entries.count == 1 })
        let content = try #require(inspector.har().log.entries.first?.response.content)
        #expect(content.size == 5006 && content.text?.count == 1000 && content.text?.hasPrefix("first xx") == true)
        #expect(content.comment != nil)
    }

    @Test("Requests that share an exchange say so, and one answered by an interceptor has its answer")
    func withoutAttempts() async throws {
        struct Mock: Interceptor {
            func intercept(_ exchange: Exchange, next: Next) async throws -> HTTPResponse {
                guard exchange.request.url.path == "/mock" else { return try await next(exchange) }
                return HTTPResponse(request: exchange.request, statusCode: 203, body: .data(Data("mocked".utf8)))
            }
        }
        let gate = LoopbackGate()
        let server = try LoopbackServer { $0.fallback(respond: .text("one for both").held(by: gate)) }
        defer { gate.open() }
        let inspector = try Inspector()
        defer { inspector.stop() }
        let session = SessionManager(
            configuration: SessionConfiguration(coalescesRequests: true, eventMonitors: [inspector]),
            interceptors: [Mock()])
        let requests = (0..<2).map { _ in session.request("\(server.baseURL)/same") }
        #expect(await server.waitForRequests(1))
        #expect(
            await eventually {
                inspector.store.records.contains { $0.isCoalesced }
            })
        gate.open()
        for request in requests { _ = try await request.response() }
        let mocked = session.request("\(server.baseURL)/mock")
        _ = try await mocked.response()
        let shared = try #require(inspector.store.records.first { $0.isCoalesced })
        let details = try await get(inspector, "exchanges/\(shared.id.value)").text
        #expect(details.contains(#""answerSource":"shared""#) && details.contains("one for both"), "\(details)")
        #expect(details.contains(#""kind":"wait""#) && !details.contains(#""kind":"local""#))
        let mock = try await get(inspector, "exchanges/\(mocked.id.value)").text
        #expect(mock.contains(#""answerSource":"interceptor""#) && mock.contains("mocked"), "\(mock)")
    }
}
