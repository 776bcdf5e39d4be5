import Testing
import TestSupport
import TrunklineHTTP
import TrunklineTesting

@Suite("A clock that the test moves")
struct TestClockTests {
    @Test("Sleepers wake in the order of their deadlines, and not before")
    func order() async throws {
        let clock = TestClock()
        let woken = Protected<[Int]>([])
        let tasks = [3, 1, 2].map { seconds in
            Task {
                try await clock.sleep(for: .seconds(seconds))
                woken.withLock { $0.append(seconds) }
            }
        }
        await clock.waitForSleepers(3)
        clock.advance(by: .milliseconds(999))
        #expect(clock.sleeperCount == 3)
        for left in [2, 1, 0] {
            clock.advance(by: .seconds(1))
            #expect(clock.sleeperCount == left)
            #expect(await eventually { woken.current.count == 3 - left })
        }
        for task in tasks { try await task.value }
        #expect(woken.current == [1, 2, 3])
        #expect(clock.now.offset == .milliseconds(3999))
    }

    @Test("A cancelled sleeper wakes at once with CancellationError, also one that has not begun")
    func cancellation() async {
        let clock = TestClock()
        for waits in [true, false] {
            let task = Task { try await clock.sleep(for: .seconds(60)) }
            if waits { await clock.waitForSleepers() }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(clock.sleeperCount == 0)
        }
    }

    @Test("A deadline that has passed is no sleep")
    func past() async throws {
        let clock = TestClock()
        clock.advance(by: .seconds(5))
        try await clock.sleep(until: TestClock.Instant(offset: .seconds(5)))
        try await clock.sleep(for: .seconds(-1))
    }
}
