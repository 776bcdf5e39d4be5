import Testing
import Trunkline
import TrunklineTesting

@MainActor
@Suite("Debounced loads, polling, tags")
struct LoadTimingTests {
    private func rig(_ answer: @escaping StubTransport.Answer = { .stub(for: $0, json: "{}") }) -> Rig<TestAPI> {
        Rig(TestAPI(), answer)
    }

    @Test("Of many calls the last one loads, after the pause, with the parameters of then")
    func debounce() async {
        let rig = rig()
        let clock = TestClock()
        for letter in ["a", "b", "c"] {
            rig.screen.params = ["q": letter]
            rig.manager.loadDebounced(after: .seconds(1), clock: clock)
            await clock.waitForSleepers()
            clock.advance(by: .milliseconds(900))
        }
        #expect(rig.stub.requests.isEmpty)
        clock.advance(by: .milliseconds(100))
        #expect(await eventually { rig.screen.ends.count == 1 })
        #expect(rig.stub.requests.map(\.url.query) == ["q=c"])
        #expect(await eventually { clock.sleeperCount == 0 })
    }

    @Test("A debounced load that is called off is never made")
    func debounceCalledOff() async {
        let clock = TestClock()
        let rig = rig()
        rig.manager.loadDebounced(after: .seconds(1), clock: clock)
        await clock.waitForSleepers()
        rig.manager.cancelAllRequests()
        #expect(await eventually { clock.sleeperCount == 0 })

        let lifetime = LoadLifetime()
        rig.manager.bind(to: lifetime)
        rig.manager.loadDebounced(after: .seconds(1), clock: clock)
        await clock.waitForSleepers()
        lifetime.end()
        #expect(await eventually { clock.sleeperCount == 0 })

        var released: Rig<TestAPI>? = self.rig()
        let stub = released?.stub
        released?.manager.loadDebounced(after: .seconds(1), clock: clock)
        await clock.waitForSleepers()
        released = nil
        #expect(await eventually { clock.sleeperCount == 0 })
        clock.advance(by: .seconds(10))
        #expect(rig.stub.requests.isEmpty && stub?.requests.isEmpty == true && rig.screen.ends.isEmpty)
    }

    private nonisolated static func counting(failing: Set<Int> = []) -> StubTransport.Answer {
        let number = Protected(0)
        return { exchange in
            let mine = number.withLock { number in
                number += 1
                return number
            }
            if failing.contains(mine) { throw HTTPError.offline }
            return .stub(for: exchange, json: "\(mine)")
        }
    }

    @Test("Polling loads when it is asked, pauses in between, and ends with the last answer")
    func polling() async throws {
        let rig = rig(Self.counting())
        let clock = TestClock()
        var answers = rig.manager.poll(every: .seconds(5), clock: clock) { $0.json == 3 }.makeAsyncIterator()
        #expect(try await answers.next()?.json == 1)
        // Nothing is loaded while nobody asks.
        clock.advance(by: .seconds(60))
        #expect(rig.stub.requests.count == 1 && clock.sleeperCount == 0)
        for number in 2...3 {
            let waking = Task {
                await clock.waitForSleepers()
                clock.advance(by: .seconds(5))
            }
            #expect(try await answers.next()?.json?.int == number)
            await waking.value
        }
        #expect(try await answers.next() == nil)
        #expect(rig.stub.requests.count == 3)
    }

    @Test("Polling waits out as many failures as it is told, and ends with the next")
    func pollingFailures() async throws {
        let rig = rig(Self.counting(failing: [1, 2, 4, 5, 6]))
        var answers = rig.manager.poll(every: .milliseconds(1), toleratingFailures: 2).makeAsyncIterator()
        #expect(try await answers.next()?.json == 3)
        do {
            _ = try await answers.next()
            Issue.record("answered")
        } catch {
            #expect((error as? APIError)?.type == .noNetwork)
        }
        #expect(rig.stub.requests.count == 6)
    }

    @Test("Polling stops when the manager is released or its owner is")
    func pollingStops() async throws {
        var released: Rig<TestAPI>? = rig(Self.counting())
        let clock = TestClock()
        let service = released?.service
        var answers = released?.manager.poll(every: .seconds(1), clock: clock).makeAsyncIterator()
        #expect(try await answers?.next()?.json == 1)
        released = nil
        let waking = Task {
            await clock.waitForSleepers()
            clock.advance(by: .seconds(1))
        }
        #expect(try await answers?.next() == nil)
        await waking.value
        #expect(service != nil)

        let rig = rig(Self.counting())
        let lifetime = LoadLifetime()
        rig.manager.bind(to: lifetime)
        var owned = rig.manager.poll(every: .milliseconds(1)).makeAsyncIterator()
        #expect(try await owned.next()?.json == 1)
        lifetime.end()
        do {
            _ = try await owned.next()
            Issue.record("answered")
        } catch {
            #expect((error as? APIError)?.type == .cancelled)
        }
        #expect(try await owned.next() == nil && rig.stub.requests.count == 1)
    }

    @Test("A manager's tags and stages go with its requests")
    func tagsAndStages() async throws {
        final class Tagged: TestAPI {
            override func tags() -> Set<String> { ["search"] }
            override func requestInterceptors() -> [any Interceptor] {
                [
                    ClosureInterceptor { exchange, next in
                        await Task.yield()
                        var exchange = exchange
                        exchange.request.headers["X-Attested"] = "1"
                        return try await next(exchange)
                    }
                ]
            }
        }
        let isOpen = Protected(false)
        let rig = Rig(Tagged() as TestAPI) { exchange in
            while !isOpen.current { try await Task.sleep(for: .milliseconds(1)) }
            return .stub(for: exchange, json: "{}")
        }
        rig.manager.loadData()
        #expect(await eventually { rig.stub.requests.count == 1 })
        #expect(rig.stub.requests.first?.headers["X-Attested"] == "1")
        rig.service.session.cancelAll(tagged: "other")
        #expect(rig.manager.isLoading)
        rig.service.session.cancelAll(tagged: "search")
        #expect(await eventually { rig.screen.ends.count == 1 })
        #expect(rig.screen.ends.first?.type == .cancelled)
    }
}
