import Foundation
import Testing
import TrunklineTesting

@testable import TrunklineHTTP

@Suite struct SessionManagerTests {
    private let ok = StubTransport { .stub(for: $0, json: #"{"n":1}"#) }
    private let hanging = StubTransport { _ in
        try await Task.sleep(for: .seconds(60))
        throw HTTPError.offline
    }

    // MARK: - Exactly one completion, later, where promised

    @Test func `a completion comes once, on the queue asked for, never from inside the call`() async throws {
        let session = SessionManager(transport: ok)
        let queue = DispatchQueue(label: "test.callback")
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        for _ in 0..<100 {
            let heard = Collector<Bool>()
            // The queue is held, so that a handler called from inside the call would be seen.
            queue.suspend()
            session.request("http://h/").onResponse(on: queue) { _ in
                heard.add(DispatchQueue.getSpecific(key: key) == true)
            }
            #expect(heard.count == 0)
            queue.resume()
            #expect(await eventually { heard.all == [true] })
        }
    }

    @Test(arguments: ["", "relative/path", "ftp://h/", "http://", "http:// h/", "::"])
    func `an address no request can go to ends in one failure and reaches no transport`(url: String) async {
        let session = SessionManager(transport: ok)
        let heard = Collector<DataRequest.Outcome>()
        session.request(url).onResponse(on: .global()) { heard.add($0) }
        #expect(await eventually { heard.count == 1 })
        guard case .failure(.invalidRequest(.url)) = heard.all.first else {
            Issue.record("\(heard.all)")
            return
        }
        #expect(ok.requests.isEmpty)
    }

    @Test func `the process-wide session exists once`() {
        #expect(SessionManager.default === SessionManager.default)
    }

    @Test func `a second handler after the end gets the same outcome`() async throws {
        let session = SessionManager(transport: ok)
        let request = session.request("http://h/")
        let first = try await request.response()
        let second = try await request.response()
        #expect(first.data == second.data && first.statusCode == 200)
    }

    // MARK: - Cancel

    @Test func `cancel before the start sends nothing and completes once`() async {
        let session = SessionManager(
            configuration: SessionConfiguration(startsRequestsImmediately: false), transport: ok)
        let heard = Collector<DataRequest.Outcome>()
        let request = session.request("http://h/").onResponse(on: .global()) { heard.add($0) }
        request.cancel()
        request.resume()
        request.cancel()
        #expect(await eventually { heard.count == 1 })
        #expect(heard.all.first?.isCancelled == true)
        #expect(ok.requests.isEmpty)
        #expect(session.activeRequests.isEmpty)
    }

    @Test func `cancel in flight completes at once, whatever an interceptor does`() async {
        // An interceptor that ignores cancellation: the caller must not wait for it.
        let stubborn = ClosureInterceptor { exchange, next in
            await Task.detached { try? await Task.sleep(for: .seconds(60)) }.value
            return try await next(exchange)
        }
        let session = SessionManager(transport: ok, interceptors: [stubborn])
        let request = session.request("http://h/")
        let start = ContinuousClock.now
        request.cancel()
        await #expect(throws: HTTPError.self) { try await request.response() }
        #expect(ContinuousClock.now - start < .seconds(20))
    }

    @Test func `after a cancel on the callback queue only cancelled arrives`() async {
        let session = SessionManager(transport: ok)
        let queue = DispatchQueue(label: "test.callback")
        for _ in 0..<200 {
            let heard = Collector<DataRequest.Outcome>()
            queue.suspend()
            let request = session.request("http://h/").onResponse(on: queue) { heard.add($0) }
            // The outcome is known and its delivery queued behind this block, which cancels first.
            #expect(await eventually { request.isFinished })
            request.cancel()
            queue.resume()
            #expect(await eventually { heard.count == 1 })
            #expect(heard.all.first?.isCancelled == true)
        }
    }

    @Test func `cancel after delivery, and from inside the handler, changes nothing`() async throws {
        let session = SessionManager(transport: ok)
        let heard = Collector<DataRequest.Outcome>()
        let request = session.request("http://h/")
        request.onResponse(on: .global()) {
            heard.add($0)
            request.cancel()
        }
        #expect(await eventually { heard.count == 1 })
        #expect(try await request.response().statusCode == 200)
        #expect(heard.count == 1)
    }

    @Test func `cancelling the waiting task cancels the request`() async {
        let session = SessionManager(transport: hanging)
        let waiting = Task { try await session.send("http://h/") }
        #expect(await eventually { !session.activeRequests.isEmpty })
        waiting.cancel()
        let outcome = await waiting.result
        #expect(throws: HTTPError.self) { try outcome.get() }
        #expect(await eventually { session.activeRequests.isEmpty })
    }

    @Test func `cancel by identity and by tag reaches the right requests only`() async {
        let session = SessionManager(transport: hanging)
        let tagged = session.request(
            HTTPRequest(url: url, options: RequestOptions(tags: ["list"])))
        let other = session.request(HTTPRequest(url: url))
        let third = session.request(HTTPRequest(url: url))
        session.cancelAll(tagged: "list")
        #expect(tagged.isFinished && !other.isFinished)
        session.cancel(other.id)
        #expect(other.isFinished && !third.isFinished)
        session.cancelAll()
        #expect(third.isFinished)
    }

    @Test func `racing starts, cancels and handlers end each request once`() async {
        let session = SessionManager(
            configuration: SessionConfiguration(startsRequestsImmediately: false), transport: ok)
        for _ in 0..<200 {
            let heard = Collector<DataRequest.Outcome>()
            let request = session.request("http://h/").onResponse(on: .global()) { heard.add($0) }
            await withTaskGroup(of: Void.self) { group in
                for index in 0..<16 {
                    group.addTask {
                        if index.isMultiple(of: 3) { request.cancel() } else { request.resume() }
                        request.onResponse(on: .global()) { heard.add($0) }
                    }
                }
            }
            #expect(await eventually { heard.count == 17 })
        }
        #expect(session.activeRequests.isEmpty)
    }

    // MARK: - Identity

    @Test func `identities are unique across sessions and threads`() async {
        let ids = await withTaskGroup(of: [RequestID].self) { group in
            for _ in 0..<8 {
                group.addTask {
                    let session = SessionManager(transport: StubTransport { .stub(for: $0) })
                    return (0..<100).map { _ in session.request("http://h/").id }
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect(Set(ids).count == 800)
    }

    @Test func `an identity survives retries and cancels the retry it is waiting for`() async throws {
        let seen = Collector<Exchange>()
        let failing = StubTransport {
            seen.add($0)
            return .stub(for: $0, status: 503)
        }
        let session = SessionManager(
            configuration: SessionConfiguration(retry: RetryPolicy(limit: 2, baseDelay: .zero)), transport: failing)
        let request = session.request("http://h/")
        await #expect(throws: HTTPError.self) { try await request.response() }
        #expect(seen.all.map(\.id) == [request.id, request.id, request.id])
        #expect(seen.all.map(\.attempt) == [1, 2, 3])
    }

    // MARK: - Session life

    @Test func `releasing the session ends its requests once each`() async {
        let heard = Collector<DataRequest.Outcome>()
        var session: SessionManager? = SessionManager(transport: hanging)
        weak let released = session
        for _ in 0..<5 { session?.request("http://h/").onResponse(on: .global()) { heard.add($0) } }
        session = nil
        #expect(released == nil)
        #expect(await eventually(within: .seconds(20)) { heard.count == 5 })
        for outcome in heard.all {
            guard case .failure(.sessionInvalidated) = outcome else {
                Issue.record("\(outcome)")
                return
            }
        }
    }

    @Test func `an invalidated session refuses with one failure`() async {
        let session = SessionManager(transport: ok)
        session.invalidate()
        session.invalidate()
        do throws(HTTPError) {
            _ = try await session.send("http://h/")
            Issue.record("accepted")
        } catch {
            guard case .sessionInvalidated = error else {
                Issue.record("\(error)")
                return
            }
        }
        #expect(ok.requests.isEmpty)
    }

    // MARK: - Limits and headers

    @Test func `the total limit ends a stuck request as timed out`() async {
        let session = SessionManager(
            configuration: SessionConfiguration(timeouts: Timeouts(total: .milliseconds(100))), transport: hanging)
        do throws(HTTPError) {
            _ = try await session.send("http://h/")
            Issue.record("answered")
        } catch {
            guard case .timedOut(.total) = error else {
                Issue.record("\(error)")
                return
            }
        }
    }

    @Test func `precedence is encoder, session, request, interceptor`() async throws {
        let late = ClosureInterceptor { exchange, next in
            var exchange = exchange
            exchange.request.headers.set("X-L", "interceptor")
            return try await next(exchange)
        }
        let session = SessionManager(
            configuration: SessionConfiguration(headers: ["content-type": "text/a", "X-K": "s", "X-L": "s"]),
            transport: ok, interceptors: [late])
        let body = RequestBody.data(Data("{}".utf8), contentType: "application/json")
        _ = try await session.send(
            HTTPRequest(method: .post, url: url, headers: ["x-k": "r", "X-L": "r"], body: body))
        let sent = try #require(ok.requests.first).headers
        #expect(sent.values(for: "Content-Type") == ["text/a"])
        #expect(sent.values(for: "X-K") == ["r"])
        #expect(sent.values(for: "X-L") == ["interceptor"])
    }

    @Test func `a bad header from an interceptor is refused before the transport`() async {
        let bad = ClosureInterceptor { exchange, next in
            var exchange = exchange
            exchange.request.headers.set("X-A", "a\r\nX-Evil: 1")
            return try await next(exchange)
        }
        let session = SessionManager(transport: ok, interceptors: [bad])
        await #expect(throws: HTTPError.self) { try await session.send("http://h/") }
        #expect(ok.requests.isEmpty)
    }

    private let url = URL(string: "http://h/") ?? URL(fileURLWithPath: "/")
}
