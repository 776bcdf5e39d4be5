import Foundation
import Testing
import TrunklineTesting

@testable import TrunklineHTTP

/// Cases A19, A21, A22, A25, A27 and A38 on every transport: each ends once, with its kind, in its time.
@Suite(.serialized) struct TransportFailureTests {
    private func failure(
        _ session: SessionManager, _ request: HTTPRequest
    ) async -> HTTPError? {
        do throws(HTTPError) {
            _ = try await session.send(request)
            return nil
        } catch {
            return error
        }
    }

    // MARK: - A19

    @Test(
        arguments: TransportKind.allCases,
        [
            "Content-Length: 100\r\n\r\n" + #"{"items":[1,2,3]}"#, "Content-Length: 100\r\n\r\n{}",
            "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
        ])
    func `a truncated body is a lost connection, never a response`(kind: TransportKind, rest: String) async throws {
        let server = try LoopbackServer {
            $0.route(.get, "/", respond: .raw([.send("HTTP/1.1 200 OK\r\n" + rest), .close]))
        }
        let session = kind.session()
        let error = await failure(session, HTTPRequest(url: server.baseURL))
        guard case .connectionLost(let loss) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(loss.stage == .duringBody && loss.response?.statusCode == 200)
        #expect(RetryDecision.isRetryable(try #require(error)))
    }

    @Test(arguments: TransportKind.allCases)
    func `a truncated body is not cached`(kind: TransportKind) async throws {
        let server = try LoopbackServer {
            $0.route(.get, "/", respond: .raw([.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{}"), .close]))
        }
        let cache = ResponseCache()
        let session = SessionManager(transport: kind.make(), cache: cache)
        for policy in [CachePolicy.cacheFirst(maxAge: .seconds(60)), .cacheOnly] {
            #expect(
                await failure(session, HTTPRequest(url: server.baseURL, options: RequestOptions(cache: policy))) != nil)
        }
        #expect(await cache.statistics.stores == 0)
    }

    @Test(arguments: TransportKind.allCases)
    func `reset, refused and closed before the head`(kind: TransportKind) async throws {
        let server = try LoopbackServer { server in
            server.script([.readRequest, .reset])
        }
        let session = kind.session()
        guard case .connectionLost(let loss) = await failure(session, HTTPRequest(url: server.baseURL)) else {
            Issue.record("not lost")
            return
        }
        #expect(loss.stage == .beforeResponse)
        server.script([.readRequest, .close])
        guard case .connectionLost = await failure(session, HTTPRequest(url: server.baseURL)) else {
            Issue.record("not lost")
            return
        }
        server.stop()
        guard case .connectionFailed = await failure(session, HTTPRequest(url: server.baseURL)) else {
            Issue.record("not refused")
            return
        }
    }

    @Test(arguments: TransportKind.allCases)
    func `a name that doesn't resolve`(kind: TransportKind) async throws {
        let url = try #require(URL(string: "http://no-such-host.invalid/"))
        guard case .nameResolution(let host) = await failure(kind.session(), HTTPRequest(url: url)) else {
            Issue.record("not a resolution failure")
            return
        }
        #expect(host == "no-such-host.invalid")
    }

    // MARK: - A21, A22

    @Test(arguments: TransportKind.allCases)
    func `credentials on redirect`(kind: TransportKind) async throws {
        let other = try LoopbackServer { $0.route(.get, "/b", respond: .text("other")) }
        let server = try LoopbackServer { $0.route(.get, "/b", respond: .text("same")) }
        server.route(.get, "/a") { .redirect(to: $0.query("to") ?? "") }
        let session = kind.session()
        let targets = [
            ("/b", server, true), ("http://127.0.0.1:\(other.port)/b", other, false),
            ("http://localhost:\(server.port)/b", server, false),
        ]
        for (location, target, stay) in targets {
            target.clearRecord()
            let endpoint = Endpoint(
                .get, "\(server.baseURL)/a", parameters: ["to": location],
                headers: [
                    "Authorization": "Bearer s", "Cookie": "sid=1", "Proxy-Authorization": "p", "X-Plain": "1",
                ])
            let response = try await session.send(endpoint)
            #expect(response.statusCode == 200 && response.url.path == "/b")
            #expect(response.metrics?.redirectCount == 1 && response.metrics?.retryCount == 0)
            let redirected = try #require(target.requests.last { $0.path == "/b" })
            for name in ["Authorization", "Cookie", "Proxy-Authorization"] {
                #expect(redirected.headers.contains(name) == stay, "\(name) to \(location)")
            }
            #expect(redirected.headers["X-Plain"] == "1")
        }
    }

    @Test(
        arguments: TransportKind.allCases,
        [
            (HTTPMethod.post, 301, HTTPMethod.get), (.post, 302, .get), (.post, 303, .get), (.post, 307, .post),
            (.post, 308, .post), (.put, 303, .get), (.put, 302, .put), (.head, 302, .head),
        ])
    func `method and body on redirect`(
        kind: TransportKind, row: (method: HTTPMethod, status: Int, expected: HTTPMethod)
    ) async throws {
        let server = try LoopbackServer { server in
            server.route(nil, "/start", respond: .redirect(to: "/echo", status: row.status))
            server.route(nil, "/echo", respond: .status(200))
        }
        let carriesBody = row.method != .head
        _ = try await kind.session().send(
            HTTPRequest(
                method: row.method, url: try #require(server.url("/start")),
                headers: ["Content-Type": "text/plain", "Content-Language": "en", "X-K": "1"],
                body: carriesBody ? .data(Data("abc".utf8)) : nil))
        let echo = try #require(server.requests.last)
        #expect(echo.path == "/echo" && echo.method == row.expected && echo.headers["X-K"] == "1")
        if row.method == row.expected, carriesBody {
            #expect(echo.body == Data("abc".utf8) && echo.headers["Content-Type"] == "text/plain")
        } else if row.method != row.expected {
            #expect(echo.body.isEmpty)
            for name in ["Content-Type", "Content-Length", "Content-Language", "Content-Encoding"] {
                #expect(!echo.headers.contains(name), "\(name)")
            }
        }
    }

    @Test(arguments: TransportKind.allCases)
    func `redirects without end, and redirects refused`(kind: TransportKind) async throws {
        let server = try LoopbackServer { $0.route(.get, "/loop", respond: .redirect(to: "/loop")) }
        let url = try #require(server.url("/loop"))
        let session = kind.session()
        guard case .tooManyRedirects(20, let last) = await failure(session, HTTPRequest(url: url)) else {
            Issue.record("no limit")
            return
        }
        #expect(last.statusCode == 302 && server.requestCount == 21)
        let options = RequestOptions(redirects: .refuse, validation: .acceptAny)
        let response = try await session.send(HTTPRequest(url: url, options: options))
        #expect(response.statusCode == 302 && response.headers["Location"] == "/loop")
    }

    // MARK: - A25

    @Test(
        arguments: TransportKind.allCases,
        [
            ["Basic realm=\"api\""], ["Bearer realm=\"a\"", "Basic realm=\"api\""], ["Digest realm=\"a\", nonce=\"n\""],
            [],
        ])
    func `a 401 is a response, whatever the challenge`(kind: TransportKind, challenges: [String]) async throws {
        var answer = LoopbackResponse.text("no", status: 401)
        for challenge in challenges { answer = answer.addingHeader("WWW-Authenticate", challenge) }
        let unauthorized = answer
        let server = try LoopbackServer { $0.route(.get, "/", respond: unauthorized) }
        let session = kind.session(SessionConfiguration(timeouts: Timeouts(idle: .seconds(60)), validation: .acceptAny))
        let start = ContinuousClock.now
        let response = try await session.send(server.baseURL)
        // A client that waits for an answer to the challenge would wait for the idle limit.
        #expect(ContinuousClock.now - start < .seconds(30))
        #expect(response.statusCode == 401 && response.data == Data("no".utf8))
        #expect(response.headers.contains("WWW-Authenticate") == !challenges.isEmpty)
        #expect(server.requestCount == 1)
    }

    // MARK: - A27

    @Test(arguments: TransportKind.allCases)
    func `a POST that may have had its effect is not sent twice`(kind: TransportKind) async throws {
        let server = try LoopbackServer { server in
            server.script(
                connection: 1,
                [
                    .readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"), .readRequest, .close,
                ])
            server.route(.post, "/", respond: .status(200))
        }
        let session = kind.session(
            SessionConfiguration(
                timeouts: Timeouts(idle: .seconds(2)), retry: RetryPolicy(limit: 2, baseDelay: .zero)))
        _ = try await session.send(server.baseURL)
        let start = ContinuousClock.now
        let error = await failure(
            session, HTTPRequest(method: .post, url: server.baseURL, body: .data(Data("order=1".utf8))))
        switch error {
        case .connectionLost, .timedOut: break
        default: Issue.record("\(String(describing: error))")
        }
        #expect(ContinuousClock.now - start < .seconds(30))
        #expect(server.completeBodies == 1)
    }

    // MARK: - A38

    @Test(arguments: TransportKind.allCases)
    func `idle and total limits`(kind: TransportKind) async throws {
        func drip(_ text: String, every interval: Duration) -> LoopbackResponse {
            .raw([
                .send("HTTP/1.1 200 OK\r\nContent-Length: \(text.utf8.count)\r\n\r\n"), .drip(text, every: interval),
            ])
        }
        let server = try LoopbackServer { server in
            // A minute without the limit.
            server.route(.get, "/long", respond: drip(String(repeating: "x", count: 240), every: .milliseconds(250)))
            // Longer than the idle limit in all, with pauses far below it.
            server.route(.get, "/drip", respond: drip("abcdefghij", every: .milliseconds(250)))
            server.route(.get, "/late", respond: .text("late").delayed(by: .seconds(60)))
        }
        let session = kind.session()
        func run(_ path: String, _ timeouts: Timeouts) async throws -> (HTTPError?, Duration) {
            let start = ContinuousClock.now
            let error = await failure(
                session,
                HTTPRequest(url: try #require(server.url(path)), options: RequestOptions(timeouts: timeouts)))
            return (error, ContinuousClock.now - start)
        }
        let (total, totalTime) = try await run("/long", Timeouts(idle: .seconds(20), total: .milliseconds(900)))
        guard case .timedOut(.total) = total else {
            Issue.record("\(String(describing: total))")
            return
        }
        #expect(totalTime > .milliseconds(800) && totalTime < .seconds(15))
        // The socket is closed, not left to drip.
        #expect(await server.waitForConnectionsClosed())

        let (control, controlTime) = try await run("/drip", Timeouts(idle: .seconds(2)))
        #expect(control == nil && controlTime > .milliseconds(2200))

        let (idle, idleTime) = try await run("/late", Timeouts(idle: .seconds(1)))
        guard case .timedOut(.idle) = idle else {
            Issue.record("\(String(describing: idle))")
            return
        }
        #expect(idleTime > .milliseconds(700) && idleTime < .seconds(20))
    }

    // MARK: - Cancel and session end

    @Test(arguments: TransportKind.allCases)
    func `cancelling closes the connection at once`(kind: TransportKind) async throws {
        let server = try LoopbackServer { $0.route(.get, "/", respond: .text("late").delayed(by: .seconds(60))) }
        let session = kind.session()
        for _ in 0..<20 {
            let request = session.request(server.baseURL)
            #expect(await server.waitForRequests(1))
            server.clearRecord()
            request.cancel()
            await #expect(throws: HTTPError.self) { try await request.response() }
            #expect(await server.waitForConnectionsClosed())
        }
    }

    /// Case A40 (i).
    @Test(arguments: TransportKind.allCases)
    func `releasing the session ends what is in flight, once each`(kind: TransportKind) async throws {
        let server = try LoopbackServer { $0.route(.get, "/", respond: .text("late").delayed(by: .seconds(60))) }
        let heard = Collector<DataRequest.Outcome>()
        var session: SessionManager? = kind.session()
        for _ in 0..<5 { session?.request(server.baseURL).onResponse(on: .global()) { heard.add($0) } }
        #expect(await server.waitForRequests(5))
        session = nil
        #expect(await eventually(within: .seconds(20)) { heard.count == 5 })
        #expect(await server.waitForConnectionsClosed())
    }
}
