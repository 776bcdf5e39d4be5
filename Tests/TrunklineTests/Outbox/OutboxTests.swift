import Foundation
import Testing
import Trunkline
import TrunklineTesting

@Suite struct OutboxTests {
    private let directory = OutboxDirectory()

    private func open(
        _ server: StubServer, _ configuration: OutboxConfiguration = OutboxConfiguration(),
        reachability: TestReachability? = nil, clock: TestClock = TestClock(), sealer: FlippingSealer? = nil,
        now: @escaping @Sendable () -> Date = { Date() }
    ) throws -> Outbox {
        try Outbox(
            directory: directory.url, session: server.session, configuration: configuration,
            reachability: reachability, sealer: sealer, clock: clock, now: now, jitter: { 1 })
    }

    @Test func `What is enqueued is on the disk, private, and sent after the start`() async throws {
        let server = StubServer()
        let outbox = try open(server)
        let ticket = try await outbox.enqueue(
            .post("http://h/favourites", json: ["book": 7], headers: ["X-Client": "a"]), lane: "favourites")
        let entry = try #require(await outbox.entries.first)
        #expect(entry.ticket == ticket && entry.state == .waiting && entry.attempts == 0 && entry.bodyLength == 10)
        let file = try #require(directory.entryFiles.first)
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(server.paths.isEmpty)
        await outbox.start()
        #expect(await eventually(outbox) { $0.isEmpty })
        let request = try #require(server.stub.requests.first)
        #expect(request.method == .post && request.url.absoluteString == "http://h/favourites")
        #expect(request.headers["X-Client"] == "a" && request.headers["Content-Type"] == "application/json")
        #expect(
            request.headers["Idempotency-Key"] == entry.idempotencyKey
                && request.body?.data == Data("{\"book\":7}".utf8))
        #expect(directory.names.isEmpty)
    }

    @Test func `A later process has the entries, in order, with their keys`() async throws {
        let server = StubServer()
        let first = try open(server)
        for number in 0..<5 { try await first.enqueue(.put("http://h/\(number)"), lane: "l") }
        let keys = await first.entries.map(\.idempotencyKey)
        await first.close()
        let second = try open(server)
        #expect(await second.entries.map(\.idempotencyKey) == keys)
        await second.start()
        #expect(await eventually(second) { $0.isEmpty })
        #expect(server.paths == (0..<5).map { "/\($0)" } && server.keys == keys)
    }

    @Test func `A lane keeps its order behind a failing head; others pass; the key stays`() async throws {
        let server = StubServer { request, number in (request.url.path == "/a0" && number < 6 ? 503 : 200, [:]) }
        let clock = TestClock()
        let outbox = try open(server, clock: clock)
        var events = outbox.events.makeAsyncIterator()
        await outbox.start()
        for path in ["a0", "a1", "b0"] {
            try await outbox.enqueue(.post("http://h/\(path)"), lane: String(path.prefix(1)))
        }
        while server.paths.filter({ $0 == "/a0" }).isEmpty || !server.paths.contains("/b0") { await Task.yield() }
        #expect(
            await eventually(outbox) { entries in
                if clock.sleeperCount > 0 { clock.advance(by: .seconds(300)) }
                return entries.isEmpty
            })
        let sent = server.paths
        #expect(sent.filter { $0.hasPrefix("/a") }.last == "/a1" && sent.filter { $0 == "/a1" }.count == 1)
        let keys = Set(zip(sent, server.keys).filter { $0.0 == "/a0" }.map(\.1))
        #expect(keys.count == 1 && sent.filter { $0 == "/a0" }.count > 1)
        var delays: [Duration] = []
        while let event = await events.next() {
            if case .delayed(_, let delay, _) = event { delays.append(delay) }
            if case .sent(let entry, _) = event, entry.url.hasSuffix("a1") { break }
        }
        #expect(delays == (0..<delays.count).map { .seconds(1 << $0) } && !delays.isEmpty)
    }

    @Test func `Refused for good: dropped and told, and the lane goes on`() async throws {
        let server = StubServer { request, _ in (request.url.path == "/0" ? 422 : 200, [:]) }
        let outbox = try open(server)
        var events = outbox.events.makeAsyncIterator()
        for number in 0..<2 { try await outbox.enqueue(.post("http://h/\(number)")) }
        await outbox.start()
        #expect(await eventually(outbox) { $0.isEmpty })
        while let event = await events.next() {
            guard case .failed(let entry, let failure) = event else { continue }
            #expect(entry.url == "http://h/0" && entry.state == .waiting && failure.response?.statusCode == 422)
            break
        }
        #expect(server.paths == ["/0", "/1"] && directory.names.isEmpty)
    }

    @Test(arguments: [404, 401]) func `A parked head holds its lane until the app decides`(status: Int) async throws {
        let status = Protected(status)
        let server = StubServer { request, _ in (request.url.path == "/0" ? status.current : 200, [:]) }
        let outbox = try open(server, OutboxConfiguration(refusal: .park))
        let first = try await outbox.enqueue(.post("http://h/0"))
        try await outbox.enqueue(.post("http://h/1"))
        await outbox.start()
        #expect(await eventually(outbox) { $0.first?.state == .parked })
        #expect(server.paths == ["/0"])
        await outbox.retryFailed()
        #expect(await eventually(outbox) { $0.first?.state == .parked && $0.first?.attempts == 2 })
        #expect(try await outbox.cancel(first))
        #expect(await eventually(outbox) { $0.isEmpty })
        #expect(server.paths == ["/0", "/0", "/1"])
        #expect(try await !outbox.cancel(first))
    }

    @Test func `Age and attempts end an entry, and are told`() async throws {
        let server = StubServer { _, _ in (500, [:]) }
        let day = Protected(0.0)
        let clock = TestClock()
        let outbox = try open(
            server, OutboxConfiguration(maximumAttempts: 2), clock: clock,
            now: { Date(timeIntervalSince1970: day.current * 86_400) })
        var events = outbox.events.makeAsyncIterator()
        try await outbox.enqueue(.post("http://h/old"), lane: "a")
        day.withLock { $0 = 8 }
        try await outbox.enqueue(.post("http://h/bad"), lane: "b")
        await outbox.start()
        await clock.waitForSleepers()
        clock.advance(by: .seconds(1))
        #expect(await eventually(outbox) { $0.isEmpty })
        var expired: [String: OutboxEvent.Expiry] = [:]
        while expired.count < 2, let event = await events.next() {
            if case .expired(let entry, let reason) = event { expired[entry.url] = reason }
        }
        #expect(expired == ["http://h/old": .age, "http://h/bad": .attempts] && server.paths == ["/bad", "/bad"])
    }

    @Test func `Attempts that reach nobody do not use up the limit`() async throws {
        let server = StubServer { _, number in
            if number < 6 { throw HTTPError.connectionFailed(reason: "refused") }
            return (200, [:])
        }
        let clock = TestClock()
        let outbox = try open(server, OutboxConfiguration(maximumAttempts: 1), clock: clock)
        var events = outbox.events.makeAsyncIterator()
        try await outbox.enqueue(.post("http://h/0"))
        await outbox.start()
        #expect(
            await eventually(outbox) { entries in
                if clock.sleeperCount > 0 { clock.advance(by: .seconds(300)) }
                return entries.isEmpty
            })
        #expect(server.paths.count == 6 && Set(server.keys).count == 1)
        while let event = await events.next() {
            if case .expired = event { Issue.record("expired") }
            if case .sent(let entry, _) = event {
                #expect(entry.attempts == 1)
                break
            }
        }
    }

    @Test func `Nothing is sent while the network is away or the outbox is paused`() async throws {
        let server = StubServer()
        let network = TestReachability(false)
        let outbox = try open(server, reachability: network)
        await outbox.start()
        try await outbox.enqueue(.post("http://h/0"))
        await outbox.pause()
        network.set(true)
        try await Task.sleep(for: .milliseconds(30))
        #expect(server.paths.isEmpty)
        network.set(false)
        await outbox.resume()
        try await Task.sleep(for: .milliseconds(30))
        network.set(true)
        #expect(await eventually(outbox) { $0.isEmpty })
        #expect(server.paths == ["/0"])
    }

    @Test func `The system's reachability can be handed over as it is`() async {
        let reachability: any OutboxReachability = NetworkReachability.shared
        var changes = reachability.changes.makeAsyncIterator()
        let first = await changes.next()
        let now = await reachability.isReachable
        #expect(first == now)
    }

    @Test func `Anything that knows the path can be the outbox's reachability`() async {
        let network = StubReachability(NetworkPath(status: .unsatisfied))
        let reachability = PathReachability(network: network)
        var changes = reachability.changes.makeAsyncIterator()
        #expect(await changes.next() == false)
        for (status, isReachable) in [(NetworkPath.Status.unknown, true), (.unsatisfied, false), (.satisfied, true)] {
            network.path = NetworkPath(status: status)
            #expect(await changes.next() == isReachable)
            #expect(reachability.isReachable == isReachable)
        }
    }

    @Test func `A cancel takes out what is being sent, and the next goes on`() async throws {
        let server = StubServer { request, _ in
            if request.url.path == "/0" { try await Task.sleep(for: .seconds(3600)) }
            return (200, [:])
        }
        let outbox = try open(server)
        await outbox.start()
        let ticket = try await outbox.enqueue(.post("http://h/0"))
        try await outbox.enqueue(.post("http://h/1"))
        #expect(await eventually(outbox) { $0.first?.state == .sending })
        #expect(await eventually { server.paths.count == 1 })
        #expect(try await outbox.cancel(ticket))
        #expect(await eventually(outbox) { $0.isEmpty })
        #expect(server.paths == ["/0", "/1"] && directory.names.isEmpty)
    }

    @Test func `Credentials and what can't be built are refused, and nothing is kept`() async throws {
        let outbox = try open(StubServer())
        for name in ["Authorization", "cookie", "PROXY-authorization", "x-api-key"] {
            await #expect(throws: OutboxError.credentials(field: name)) {
                try await outbox.enqueue(.post("http://h/", headers: HTTPHeaders([.init(name, "secret")])))
            }
        }
        await #expect(throws: OutboxError.self) { try await outbox.enqueue("http://user:secret@h/") }
        await #expect(throws: OutboxError.self) { try await outbox.enqueue(.post("no url")) }
        await #expect(throws: OutboxError.self) {
            try await outbox.enqueue(.post("http://h/", headers: ["A": "b\r\nc"]))
        }
        #expect(await outbox.entries.isEmpty && directory.names.isEmpty)
        await outbox.close()
        await #expect(throws: OutboxError.closed) { try await outbox.enqueue(.post("http://h/")) }
    }

    @Test func `Bodies from files and streams are kept, whatever becomes of their source`() async throws {
        let bodies = Collector<Data?>()
        let server = StubServer { request, _ in
            if case .file(let url, _) = request.body?.source { bodies.add(try? Data(contentsOf: url)) }
            if let data = request.body?.data { bodies.add(data) }
            return (200, [:])
        }
        for sealer in [nil, FlippingSealer()] as [FlippingSealer?] {
            let outbox = try open(server, sealer: sealer)
            let source = directory.url.appendingPathComponent("source.bin")
            try Data(repeating: 9, count: 200_000).write(to: source)
            try await outbox.enqueue(.put("http://h/f", body: .file(source)))
            try FileManager.default.removeItem(at: source)
            try await outbox.enqueue(
                .put(
                    "http://h/s",
                    body: .oneShot(
                        AsyncThrowingStream { continuation in
                            continuation.yield(Data("ab".utf8))
                            continuation.yield(Data("c".utf8))
                            continuation.finish()
                        })))
            await outbox.start()
            #expect(await eventually(outbox) { $0.isEmpty })
            #expect(directory.names.isEmpty)
            await outbox.close()
        }
        #expect(
            bodies.all
                == Array(repeating: [Data(repeating: 9, count: 200_000), Data("abc".utf8)], count: 2).flatMap(\.self))
    }
}
