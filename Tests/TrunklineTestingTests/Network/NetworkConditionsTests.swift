import Foundation
import Testing
import TrunklineTesting

@Suite("Network conditions")
struct NetworkConditionsTests {
    private func stubs(_ answer: StubAnswer = .text("yes")) -> StubTransport {
        let stubs = StubTransport()
        stubs.when(answer: answer)
        return stubs
    }

    @Test("A perfect network changes nothing")
    func perfect() async throws {
        let network = ConditionedTransport(stubs())
        #expect(try await network.text(request(.get, "/a")) == "yes")
        #expect(network.capabilities.name == "stub")
    }

    @Test("Latency is waited for on the clock; bandwidth takes the time of the bytes")
    func pace() async throws {
        let clock = TestClock()
        let network = ConditionedTransport(
            stubs(.data(Data(count: 1000))),
            conditions: NetworkConditions(
                latency: .seconds(1), downloadBytesPerSecond: 100, uploadBytesPerSecond: 50),
            clock: clock)
        let sending = Task { try await network.text(request(.put, "/a", body: .data(Data(count: 100)))).utf8.count }
        for step in [Duration.seconds(2), .seconds(1), .seconds(10)] {
            await clock.waitForSleepers()
            clock.advance(by: step)
        }
        #expect(try await sending.value == 1000)
        #expect(clock.now.offset == .seconds(13))
    }

    @Test("A streamed answer is slowed chunk by chunk, and the rate can change meanwhile")
    func stream() async throws {
        let clock = TestClock()
        let network = ConditionedTransport(
            stubs(.chunks([Data(count: 100), Data(count: 100), Data(count: 100)])),
            conditions: NetworkConditions(downloadBytesPerSecond: 10), clock: clock)
        let response = try await network.answer(request(.get, "/a", delivery: .stream))
        let reading = Task { try await chunks(of: response).map(\.count) }
        await clock.waitForSleepers()
        network.conditions.downloadBytesPerSecond = 100
        clock.advance(by: .seconds(10))
        for _ in 0..<2 {
            await clock.waitForSleepers()
            clock.advance(by: .seconds(1))
        }
        #expect(try await reading.value == [100, 100, 100])
        #expect(clock.now.offset == .seconds(12))
    }

    @Test("The same seed loses the same exchanges; about as many as asked for, on both ways")
    func loss() async throws {
        func run(_ seed: UInt64) async throws -> (lost: [Bool], reached: Int) {
            let stubs = stubs()
            let network = ConditionedTransport(stubs, conditions: NetworkConditions(lossRate: 0.3), seed: seed)
            var lost: [Bool] = []
            for _ in 0..<400 {
                do {
                    _ = try await network.answer(request(.get, "/a"))
                    lost.append(false)
                } catch {
                    guard case .connectionLost(let loss) = HTTPError(error), loss.stage == .beforeResponse else {
                        throw error
                    }
                    lost.append(true)
                }
            }
            return (lost, stubs.requests.count)
        }
        let (first, second, other) = (try await run(1), try await run(1), try await run(2))
        #expect(first.lost == second.lost)
        #expect(first.lost != other.lost)
        let count = first.lost.filter { $0 }.count
        #expect((80...160).contains(count))
        // Some were lost before the stub saw them, some after.
        #expect(first.reached > 400 - count && first.reached < 400)
    }

    @Test("Losing everything, and values out of range")
    func extremes() async throws {
        let network = ConditionedTransport(
            stubs(),
            conditions: NetworkConditions(
                latency: .seconds(-1), jitter: .seconds(-1), lossRate: -3, downloadBytesPerSecond: 1_000_000))
        #expect(try await network.text(request(.get, "/a")) == "yes")
        network.conditions = NetworkConditions(lossRate: 7)
        let asked = try request(.get, "/a")
        await #expect(throws: HTTPError.self) { _ = try await network.answer(asked) }
    }

    @Test("Jitter lies between nothing and its most")
    func jitter() async throws {
        let clock = TestClock()
        let network = ConditionedTransport(
            stubs(), conditions: NetworkConditions(latency: .seconds(1), jitter: .seconds(1)), clock: clock, seed: 3)
        for _ in 0..<20 {
            let start = clock.now.offset
            let sending = Task { try await network.text(request(.get, "/a")) }
            await clock.waitForSleepers()
            clock.advance(by: .milliseconds(999))
            #expect(clock.sleeperCount == 1)
            clock.advance(by: .milliseconds(1001))
            #expect(try await sending.value == "yes")
            #expect(clock.now.offset == start + .seconds(2))
        }
    }

    @Test("Offline refuses at once, and ends what is in flight; back online it works again")
    func offline() async throws {
        let clock = TestClock()
        let network = ConditionedTransport(
            stubs(), conditions: NetworkConditions(latency: .seconds(5)), clock: clock)
        let asked = try request(.get, "/a")
        let sending = Task { try await network.answer(asked) }
        await clock.waitForSleepers()
        network.conditions = .offline
        let lost = await #expect(throws: HTTPError.self) { _ = try await sending.value }
        guard case .connectionLost? = lost else {
            Issue.record("\(String(describing: lost))")
            return
        }
        let refused = await #expect(throws: HTTPError.self) { _ = try await network.answer(asked) }
        guard case .offline? = refused else {
            Issue.record("\(String(describing: refused))")
            return
        }
        network.conditions = .perfect
        #expect(try await network.text(asked) == "yes")
    }

    @Test("Going offline cuts a stream off")
    func offlineStream() async throws {
        let network = ConditionedTransport(stubs(.chunks([Data("a".utf8), Data("b".utf8)])))
        let response = try await network.answer(request(.get, "/a", delivery: .stream))
        guard case .stream(let stream) = response.body else {
            Issue.record("no stream")
            return
        }
        var iterator = stream.makeAsyncIterator()
        #expect(try await iterator.next() == Data("a".utf8))
        network.conditions.isOffline = true
        network.conditions.isOffline = false
        do {
            _ = try await iterator.next()
            Issue.record("the stream went on")
        } catch {
            guard case .connectionLost(let loss) = HTTPError(error) else { throw error }
            #expect(loss.stage == .duringBody)
        }
    }

    @Test("A latency beyond the idle limit times out; cancelling ends at once")
    func limits() async throws {
        let clock = TestClock()
        let network = ConditionedTransport(
            stubs(), conditions: NetworkConditions(latency: .seconds(100)), clock: clock)
        let asked = try request(.get, "/a")
        let sending = Task { try await network.answer(asked, timeouts: Timeouts(idle: .seconds(60))) }
        await clock.waitForSleepers()
        clock.advance(by: .seconds(60))
        let late = await #expect(throws: HTTPError.self) { _ = try await sending.value }
        guard case .timedOut(.idle)? = late else {
            Issue.record("\(String(describing: late))")
            return
        }
        let other = Task { try await network.answer(asked) }
        await clock.waitForSleepers()
        other.cancel()
        let cancelled = await #expect(throws: HTTPError.self) { _ = try await other.value }
        guard case .cancelled? = cancelled else {
            Issue.record("\(String(describing: cancelled))")
            return
        }
    }

    @Test("A stream nobody reads any more closes its connection, through every layer", .enabled(if: curlIsThere))
    func abandoned() async throws {
        let directory = try ScratchDirectory()
        let server = try LoopbackServer { $0.addStandardRoutes() }
        let cassette = try CassetteTransport(
            DefaultTransport.make(), file: directory.file("tape.har"), mode: .record)
        let network = ConditionedTransport(cassette)
        do {
            let asked = try request(.get, "/fault/slow", base: server.baseURL.absoluteString, delivery: .stream)
            let response = try await network.answer(asked)
            guard case .stream(let stream) = response.body else { throw TestFailure("no stream") }
            var iterator = stream.makeAsyncIterator()
            #expect(try await iterator.next()?.isEmpty == false)
            #expect(server.openConnections == 1)
        }
        #expect(await server.waitForConnectionsClosed())
    }
}
