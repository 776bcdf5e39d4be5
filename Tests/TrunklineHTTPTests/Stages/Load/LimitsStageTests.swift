import Foundation
import Testing
import TrunklineTesting

@testable import TrunklineHTTP

@Suite struct LimitsStageTests {
    private let origin = Origin(Load.url())

    private func limiter(_ limits: RequestLimits) -> RequestLimiter { RequestLimiter(limits, clock: TestClock()) }

    @Test func `no more than the limit are on their way, on a real server`() async throws {
        let crowd = Crowd()
        // The first ones wait until as many as may are there.
        let gate = LoopbackGate(opensAt: 3)
        let server = try LoopbackServer {
            $0.route(.get, "/") { _ in
                crowd.enter()
                defer { crowd.leave() }
                try await gate.wait()
                try await Task.sleep(for: .milliseconds(2))
                return .text("ok")
            }
        }
        let session = SessionManager(configuration: SessionConfiguration(limits: RequestLimits(maximumPerHost: 3)))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<60 { group.addTask { _ = try await session.send(server.baseURL) } }
            try await group.waitForAll()
        }
        #expect(crowd.all == 60 && crowd.most == 3)
    }

    @Test func `the priority of a request decides who goes first`() async throws {
        let gate = LoopbackGate()
        let served = Collector<String>()
        let transport = StubTransport { exchange in
            served.add(exchange.request.url.path)
            if exchange.request.url.path == "/first" { try await gate.wait() }
            return .stub(for: exchange)
        }
        let session = SessionManager(
            configuration: SessionConfiguration(limits: RequestLimits(maximumInAll: 1)), transport: transport)
        let first = session.request("http://h/first")
        #expect(await eventually { served.count == 1 })
        let names: [(String, RequestPriority)] = [("/low", .low), ("/normal", .normal), ("/high", .high)]
        let others = names.map { name, priority in
            session.request(
                HTTPRequest(url: Load.url("h", name), options: RequestOptions(priority: priority)))
        }
        // All have to be in the queue before the place is free.
        let waiting = session.load.limiter
        #expect(await eventually { waiting?.counts.waiting == 3 })
        gate.open()
        for request in others + [first] { _ = try await request.response() }
        #expect(served.all == ["/first", "/high", "/normal", "/low"])
    }

    @Test func `a cancelled request leaves the queue at once, and only that one`() async throws {
        let limiter = limiter(RequestLimits(maximumPerHost: 1))
        let held = try await limiter.acquire(origin, priority: .normal, timer: nil)
        let timer = RecordingTimer()
        let cancelled = Task { try await limiter.acquire(origin, priority: .normal, timer: timer) }
        #expect(await eventually { limiter.counts.waiting == 1 })
        let other = Task { try await limiter.acquire(origin, priority: .normal, timer: nil) }
        #expect(await eventually { limiter.counts.waiting == 2 })
        cancelled.cancel()
        #expect(await cancelled.result.httpError?.isCancelled == true)
        #expect(timer.paused == 1 && timer.resumed == 1)
        #expect(limiter.counts == (1, 1))
        held.release()
        try await other.value.release()
        #expect(limiter.counts == (0, 0))
    }

    @Test func `a task cancelled before it asks gets no place for good`() async throws {
        let limiter = limiter(RequestLimits(maximumPerHost: 1))
        let held = try await limiter.acquire(origin, priority: .normal, timer: nil)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await limiter.acquire(origin, priority: .normal, timer: nil)
        }
        #expect(await task.result.httpError?.isCancelled == true)
        #expect(limiter.counts == (1, 0))
        held.release()
        held.release()
        #expect(limiter.counts == (0, 0))
    }

    @Test func `time in the queue rests the total limit, and sending does not`() async throws {
        let limiter = limiter(RequestLimits(maximumPerHost: 1))
        let timer = RecordingTimer()
        let wasPaused = Collector<Bool>()
        let transport = StubTransport { exchange in
            wasPaused.add(timer.isPaused)
            return .stub(for: exchange)
        }
        let next = Load.next([LimitsStage(limiter: limiter)], transport)
        let held = try await limiter.acquire(origin, priority: .normal, timer: nil)
        let request = Task {
            var exchange = Load.exchange()
            exchange.timer = timer
            return try await next(exchange)
        }
        #expect(await eventually { timer.isPaused })
        #expect(transport.requests.isEmpty)
        held.release()
        _ = try await request.value
        #expect(wasPaused.all == [false] && timer.paused == 1 && timer.resumed == 1)
        // Nothing to wait for: nothing to rest.
        _ = try await next(Load.exchange())
        #expect(timer.paused == 1)
    }

    @Test(arguments: ["ended", "failed", "dropped", "unread"])
    func `a stream holds its place until it is over`(how: String) async throws {
        let limiter = limiter(RequestLimits(maximumPerHost: 1))
        let transport = StubTransport { exchange in
            let (chunks, continuation) = ResponseBody.Chunks.makeStream()
            continuation.yield(Data("a".utf8))
            continuation.yield(Data("b".utf8))
            continuation.finish(throwing: how == "failed" ? HTTPError.timedOut(.idle) : nil)
            return HTTPResponse(request: exchange.request, statusCode: 200, body: .stream(chunks))
        }
        let next = Load.next([LimitsStage(limiter: limiter)], transport)
        var response: HTTPResponse? = try await next(Load.exchange(options: RequestOptions(delivery: .stream)))
        #expect(limiter.counts.running == 1)
        if how != "unread" {
            guard case .stream(let chunks) = response?.body else {
                Issue.record("no stream")
                return
            }
            var read: [String] = []
            do {
                for try await chunk in chunks {
                    read.append(String(decoding: chunk, as: UTF8.self))
                    #expect(limiter.counts.running == 1)
                    if how == "dropped" { break }
                }
                #expect(how != "failed")
            } catch HTTPError.timedOut(.idle) {
                #expect(how == "failed")
            }
            #expect(read == (how == "dropped" ? ["a"] : ["a", "b"]))
            if how != "dropped" { #expect(limiter.counts.running == 0) }
        }
        response = nil
        #expect(await eventually { limiter.counts.running == 0 })
    }

    @Test func `a failed exchange gives its place back, and a wait before a retry holds none`() async throws {
        let limiter = limiter(RequestLimits(maximumPerHost: 1))
        let clock = TestClock()
        let transport = StubTransport { _ in throw HTTPError.connectionFailed(reason: "refused") }
        let retry = RetryStage(
            defaultPolicy: RetryPolicy(limit: 1, baseDelay: .seconds(2)), clock: clock, jitter: { 1 })
        let next = Load.next([retry, LimitsStage(limiter: limiter)], transport)
        let request = Task { try await next(Load.exchange()) }
        await clock.waitForSleepers()
        #expect(limiter.counts == (0, 0))
        clock.advance(by: .seconds(2))
        guard case .connectionFailed = await request.result.httpError else {
            Issue.record("\(await request.result)")
            return
        }
        #expect(limiter.counts == (0, 0))
    }

    /// Cancels race with grants: a place is never lost and never given twice.
    @Test func `many rounds of requests that come, go and are cancelled`() async {
        for round in 0..<(Sanitizer.isThread ? 5 : 30) {
            let limiter = limiter(RequestLimits(maximumPerHost: 2, maximumInAll: 3))
            let crowd = Crowd()
            let tasks = (0..<100).map { index in
                Task {
                    let host = Origin(Load.url("h\(index % 3)"))
                    let slot = try await limiter.acquire(
                        host, priority: RequestPriority(rawValue: index % 3) ?? .low, timer: nil)
                    crowd.enter()
                    await Task.yield()
                    crowd.leave()
                    slot.release()
                }
            }
            for (index, task) in tasks.enumerated() where (index + round) % 2 == 0 { task.cancel() }
            for task in tasks { _ = await task.result }
            #expect(limiter.isEmpty)
            #expect(crowd.most <= 3)
        }
    }
}

/// Measured in processes of their own.
@Suite struct QueueMemoryTests {
    /// A queued request holds no more than one that is under way, and the queue keeps nothing when it is empty.
    @Test func `10,000 queued requests are small, and leave nothing behind`() async throws {
        let queued = try await ResourceFindings("queue")
        let sent = try await ResourceFindings("in-flight")
        #expect(queued["active"] == 0 && sent["active"] == 0)
        // Where the system tells. The margins are those of the allocator.
        if let queued = queued["bytesPerRequest"], let sent = sent["bytesPerRequest"] {
            #expect(queued < sent + 4_000)
        }
        // What the system gives a process moves by tens of megabytes with the allocator's arenas; requests that were kept
        // would add all that a wave of them holds.
        if let growth = queued["growth"], let queued = queued["bytesPerRequest"] {
            #expect(growth < queued * 10_000 / 2)
        }
    }
}
