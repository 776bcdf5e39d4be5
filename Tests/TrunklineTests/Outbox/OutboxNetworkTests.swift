import Foundation
import Testing
import TrunklineTesting

@testable import Trunkline

/// Waits that end when the network is back.
@Suite struct OutboxNetworkTests {
    private let directory = OutboxDirectory()

    private func open(_ server: StubServer, _ network: TestReachability, _ clock: TestClock) throws -> Outbox {
        try Outbox(
            directory: directory.url, session: server.session, reachability: network, clock: clock, jitter: { 1 })
    }

    @Test func `A lane in backoff goes on at once when the network is back`() async throws {
        let server = StubServer { _, number in
            if number <= 4 { throw HTTPError.connectionFailed(reason: "no route") }
            return (200, [:])
        }
        let (network, clock) = (TestReachability(true), TestClock())
        let outbox = try open(server, network, clock)
        await outbox.start()
        try await outbox.enqueue(.post("http://h/0"), lane: "a")
        try await outbox.enqueue(.post("http://h/1"), lane: "b")
        await clock.waitForSleepers(2)
        #expect(server.paths.count == 2)
        // A word that changes nothing wakes nobody.
        network.set(true)
        network.set(false)
        try await Task.sleep(for: .milliseconds(30))
        #expect(server.paths.count == 2 && clock.sleeperCount == 2)
        // The clock stands still.
        network.set(true)
        #expect(await eventually { server.paths.count >= 4 })
        #expect(await eventually { clock.sleeperCount == 2 })
        network.set(false)
        network.set(true)
        #expect(await eventually(outbox) { $0.isEmpty })
        #expect(server.paths.count == 6 && clock.now.offset == .zero)
    }

    @Test func `A wait that came up while the network was away is over with it`() async throws {
        let hold = Protected(true)
        let server = StubServer { _, number in
            while hold.current { try await Task.sleep(for: .milliseconds(1)) }
            if number == 1 { throw HTTPError.offline }
            return (200, [:])
        }
        let (network, clock) = (TestReachability(true), TestClock())
        let outbox = try open(server, network, clock)
        await outbox.start()
        try await outbox.enqueue(.post("http://h/0"))
        #expect(await eventually { server.paths.count == 1 })
        network.set(false)
        try await Task.sleep(for: .milliseconds(20))
        hold.withLock { $0 = false }
        #expect(await eventually(outbox) { $0.first?.state == .waiting })
        network.set(true)
        #expect(await eventually(outbox) { $0.isEmpty })
        #expect(clock.now.offset == .zero)
    }

    @Test func `A wait that the server has asked for stays`() async throws {
        let server = StubServer { _, number in (number == 1 ? 503 : 200, ["Retry-After": "60"]) }
        let (network, clock) = (TestReachability(true), TestClock())
        let outbox = try open(server, network, clock)
        await outbox.start()
        try await outbox.enqueue(.post("http://h/0"))
        await clock.waitForSleepers()
        network.set(false)
        network.set(true)
        try await Task.sleep(for: .milliseconds(30))
        #expect(server.paths.count == 1 && clock.sleeperCount == 1)
        clock.advance(by: .seconds(60))
        #expect(await eventually(outbox) { $0.isEmpty })
    }

    @Test func `An outbox that waits can be closed, and released`() async throws {
        let server = StubServer { _, _ in throw HTTPError.connectionFailed(reason: "no route") }
        let (network, clock) = (TestReachability(true), TestClock())
        var outbox: Outbox? = try open(server, network, clock)
        weak let released = outbox
        await outbox?.start()
        try await outbox?.enqueue(.post("http://h/0"))
        await clock.waitForSleepers()
        outbox = nil
        #expect(await eventually { released == nil })
        #expect(await eventually { clock.sleeperCount == 0 })
        let again = try open(server, network, clock)
        await again.start()
        await clock.waitForSleepers()
        await again.close()
        #expect(clock.sleeperCount == 0)
    }

    @Test func `Which failures may be over with the network`() {
        let response = HTTPResponse(request: HTTPRequest(url: URL(fileURLWithPath: "/")), statusCode: 503)
        #expect(
            OutboxDecision.mayBeTheNetwork(.error(.offline)) && OutboxDecision.mayBeTheNetwork(.error(.timedOut(.idle)))
        )
        #expect(!OutboxDecision.mayBeTheNetwork(.response(response)))
        #expect(!OutboxDecision.mayBeTheNetwork(.notReady(reason: "")))
    }
}
