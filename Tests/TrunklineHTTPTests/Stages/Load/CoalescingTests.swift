import Foundation
import Testing
import TrunklineTesting

@testable import TrunklineHTTP

@Suite struct CoalescingTests {
    private func session(_ transport: (any Transport)? = nil) -> SessionManager {
        SessionManager(configuration: SessionConfiguration(coalescesRequests: true), transport: transport)
    }

    /// A stage on its own, with its table in reach.
    private func stage(_ transport: any Transport) -> (SharedExchanges, Next) {
        let stage = CoalescingStage(isOn: true)
        return (stage.exchanges, Load.next([stage], transport))
    }

    @Test func `1,000 identical requests make 1 exchange while one in two cancels`() async throws {
        let gate = LoopbackGate()
        let server = try LoopbackServer { $0.route(.get, "/", respond: .text("one for all").held(by: gate)) }
        let session = session()
        let requests = (0..<1000).map { _ in session.request(server.baseURL) }
        // All have to have joined before the answer comes.
        let exchanges = session.load.coalescing.exchanges
        #expect(await eventually { exchanges.subscriberCount == 1000 })
        #expect(await eventually { gate.waiting == 1 })
        for request in requests.enumerated() where request.offset % 2 == 0 { request.element.cancel() }
        #expect(await eventually { exchanges.subscriberCount == 500 })
        gate.open()
        for (index, request) in requests.enumerated() {
            do {
                let response = try await request.response()
                #expect(index % 2 == 1 && response.data == Data("one for all".utf8))
            } catch {
                #expect(index % 2 == 0 && error.isCancelled)
            }
        }
        #expect(server.requestCount == 1 && server.abandonedRequests.isEmpty)
        #expect(await eventually { exchanges.count == 0 })
        // Late ones begin anew.
        _ = try await session.send(server.baseURL)
        #expect(server.requestCount == 2)
    }

    @Test func `the exchange is cancelled with the last one, on the wire too`() async throws {
        let gate = LoopbackGate()
        let server = try LoopbackServer { $0.route(.get, "/", respond: .text("late").held(by: gate)) }
        let session = session()
        let requests = (0..<5).map { _ in session.request(server.baseURL) }
        let exchanges = session.load.coalescing.exchanges
        #expect(await eventually { exchanges.subscriberCount == 5 && gate.waiting == 1 })
        requests.dropLast().forEach { $0.cancel() }
        #expect(await eventually { exchanges.subscriberCount == 1 })
        #expect(gate.waiting == 1)
        requests.last?.cancel()
        #expect(await eventually { gate.waiting == 0 })
        #expect(exchanges.count == 0)
        // Whoever comes now has an exchange of its own, not the cancelled one.
        gate.open()
        #expect(try await session.send(server.baseURL).statusCode == 200)
    }

    @Test func `the first to leave takes nothing along`() async throws {
        let gate = LoopbackGate()
        let transport = StubTransport { exchange in
            try await gate.wait()
            return .stub(for: exchange)
        }
        let (exchanges, next) = stage(transport)
        let first = Task { try await next(Load.exchange()) }
        #expect(await eventually { exchanges.subscriberCount == 1 })
        let second = Task { try await next(Load.exchange()) }
        #expect(await eventually { exchanges.subscriberCount == 2 })
        first.cancel()
        #expect(await first.result.httpError?.isCancelled == true)
        gate.open()
        #expect(try await second.value.statusCode == 200)
        #expect(transport.requests.count == 1)
    }

    @Test func `everybody gets the error, and each the response`() async throws {
        let gate = LoopbackGate()
        let transport = StubTransport { _ in
            try await gate.wait()
            throw HTTPError.connectionFailed(reason: "refused")
        }
        let (exchanges, next) = stage(transport)
        let requests = (0..<10).map { _ in Task { try await next(Load.exchange()) } }
        #expect(await eventually { exchanges.subscriberCount == 10 })
        gate.open()
        for request in requests {
            guard case .connectionFailed = await request.result.httpError else {
                Issue.record("\(await request.result)")
                continue
            }
        }
        #expect(exchanges.count == 0)
    }

    /// What differs → whether the requests still share.
    @Test func `what makes two requests the same`() {
        func exchange(_ change: (inout Exchange) -> Void = { _ in }) -> Exchange {
            var exchange = Load.exchange()
            exchange.request.headers.set("Accept", "*/*")
            change(&exchange)
            return exchange
        }
        let key = CoalescingKey(exchange())
        let same: [(inout Exchange) -> Void] = [
            { _ in }, { $0.request.options.tags = ["a"] }, { $0.request.options.priority = .high },
            { $0.request.options.validation = .acceptAny }, { $0.timeouts.total = .seconds(1) },
        ]
        let other: [(inout Exchange) -> Void] = [
            { $0.request.method = .head }, { $0.request.url = Load.url("h", "/?a") },
            { $0.request.url = Load.url("H") },
            { $0.request.headers.set("Authorization", "Bearer other") }, { $0.request.headers.remove("Accept") },
            { $0.request.options.cachePartition = CachePartition(user: "other") },
            { $0.request.options.cache = .reload }, { $0.request.options.cacheKey = CacheKey(identity: ["k"]) },
            { $0.request.options.redirects = .refuse }, { $0.request.options.retry = RetryPolicy() },
            { $0.request.options.hedging = .never }, { $0.request.options.connectivity = .wait(atMost: .seconds(1)) },
            { $0.timeouts.idle = .seconds(1) }, { $0.timeouts.connect = nil },
            { $0.request.options.authentication = .none },
        ]
        let never: [(inout Exchange) -> Void] = [
            { $0.request.method = .post }, { $0.request.method = .query }, { $0.request.method = .options },
            { $0.request.options.authentication = .use(BearerAuthentication(token: "t", origins: [])) },
            { $0.request.body = .data(Data()) }, { $0.request.options.delivery = .stream },
            { $0.request.options.delivery = .file(URL(fileURLWithPath: "/dev/null")) },
        ]
        #expect(key != nil)
        for change in same { #expect(CoalescingKey(exchange(change)) == key) }
        for change in other {
            let changed = CoalescingKey(exchange(change))
            #expect(changed != nil && changed != key)
        }
        for change in never { #expect(CoalescingKey(exchange(change)) == nil) }
    }

    @Test func `a request can opt out, or in`() async throws {
        for (session, request, count) in [(true, false, 2), (false, true, 1), (false, nil, 2), (true, nil, 1)] {
            let gate = LoopbackGate()
            let transport = StubTransport { exchange in
                try await gate.wait()
                return .stub(for: exchange)
            }
            let manager = SessionManager(
                configuration: SessionConfiguration(coalescesRequests: session), transport: transport)
            let description = HTTPRequest(url: Load.url(), options: RequestOptions(coalesces: request))
            let requests = (0..<2).map { _ in manager.request(description) }
            let exchanges = manager.load.coalescing.exchanges
            #expect(await eventually { exchanges.subscriberCount + gate.waiting == (count == 1 ? 3 : 2) })
            gate.open()
            for request in requests { _ = try await request.response() }
            #expect(transport.requests.count == count)
        }
    }

    @Test func `a request's own interceptors don't keep it from sharing`() async throws {
        let gate = LoopbackGate()
        let transport = StubTransport { exchange in
            try await gate.wait()
            return .stub(for: exchange)
        }
        let session = session(transport)
        let passing = ClosureInterceptor { try await $1($0) }
        let requests = [
            session.request("http://h/"), session.request("http://h/", interceptors: [passing]),
        ]
        let exchanges = session.load.coalescing.exchanges
        #expect(await eventually { exchanges.subscriberCount == 2 })
        gate.open()
        for request in requests { _ = try await request.response() }
        #expect(transport.requests.count == 1)
    }

    @Test func `one's total limit ends only that one`() async throws {
        let gate = LoopbackGate()
        let totals = Collector<Duration?>()
        let transport = StubTransport { exchange in
            totals.add(exchange.timeouts.total)
            try await gate.wait()
            return .stub(for: exchange)
        }
        let session = session(transport)
        let impatient = session.request(
            HTTPRequest(url: Load.url(), options: RequestOptions(timeouts: Timeouts(total: .milliseconds(50)))))
        let patient = session.request("http://h/")
        let error = await #expect(throws: HTTPError.self) { try await impatient.response() }
        guard case .timedOut(.total) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        gate.open()
        #expect(try await patient.response().statusCode == 200)
        #expect(totals.all.allSatisfy { $0 == nil })
    }

    @Test func `everybody hears the progress and rests with the exchange`() async throws {
        let (start, end) = (LoopbackGate(), LoopbackGate())
        let transport = StubTransport { exchange in
            exchange.timer?.pause()
            try await start.wait()
            exchange.progress?.received?(TransferProgress(completed: 1, total: 2))
            exchange.timer?.resume()
            try await end.wait()
            return .stub(for: exchange)
        }
        let (exchanges, next) = stage(transport)
        let timers = (0..<3).map { _ in RecordingTimer() }
        let heard = Collector<Int64>()
        var requests: [Task<HTTPResponse, any Error>] = []
        for timer in timers {
            requests.append(
                Task {
                    var exchange = Load.exchange()
                    exchange.timer = timer
                    exchange.progress = ProgressObserver(received: { heard.add($0.completed) })
                    return try await next(exchange)
                })
            // Those who join during the rest begin with it.
            #expect(await eventually { timer.isPaused && start.waiting == 1 })
        }
        requests[0].cancel()
        #expect(await eventually { exchanges.subscriberCount == 2 })
        #expect(!timers[0].isPaused)
        start.open()
        #expect(await eventually { heard.count == 2 && timers.allSatisfy { !$0.isPaused } })
        end.open()
        for request in requests.dropFirst() { _ = try await request.value }
        #expect(timers.allSatisfy { $0.paused == 1 && $0.resumed == 1 })
    }

    @Test func `who is suspended holds nobody else, and hears nothing before it goes on`() async throws {
        let end = LoopbackGate()
        let transport = StubTransport { exchange in
            try await end.wait()
            return .stub(for: exchange)
        }
        let session = session(transport)
        let requests = (0..<2).map { _ in
            session.request(HTTPRequest(url: Load.url(), options: RequestOptions(tags: ["mine"])))
        }
        let exchanges = session.load.coalescing.exchanges
        #expect(await eventually { exchanges.subscriberCount == 2 && end.waiting == 1 })
        requests[0].suspend()
        end.open()
        #expect(try await requests[1].response().request.options.tags == ["mine"])
        #expect(!requests[0].isFinished)
        requests[0].resume()
        #expect(try await requests[0].response().statusCode == 200)
        #expect(transport.requests.count == 1)
    }

    /// Joins, leaves and the end race: everybody ends once, and no exchange is left.
    @Test func `many rounds of requests that come, go and are cancelled`() async {
        for round in 0..<(Sanitizer.isThread ? 5 : 40) {
            let transport = StubTransport { exchange in
                await Task.yield()
                return .stub(for: exchange)
            }
            let (exchanges, next) = stage(transport)
            let requests = (0..<60).map { index in
                Task {
                    if index % 4 == 0 { await Task.yield() }
                    return try await next(Load.exchange("h\(index % 2)"))
                }
            }
            for (index, request) in requests.enumerated() where (index + round) % 3 == 0 { request.cancel() }
            for (index, request) in requests.enumerated() {
                switch await request.result {
                case .success(let response): #expect(response.statusCode == 200)
                case .failure(let error):
                    #expect((index + round) % 3 == 0 && (error as? HTTPError)?.isCancelled == true)
                }
            }
            #expect(await eventually { exchanges.count == 0 })
        }
    }
}
