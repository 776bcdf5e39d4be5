import Testing

@testable import Trunkline

@Suite struct GroupScheduleTests {
    /// What each end of a member leads to: `"start 1,2"`, `"stop"`, or nothing.
    private func walk(
        _ dependencies: [[Int]], limit: Int? = nil, stop: GroupSchedule.Stop = .never, ends: [(Int, Bool)]
    ) -> (log: [String], fates: [GroupSchedule.Fate]) {
        var schedule = GroupSchedule(dependencies: dependencies, limit: limit, stop: stop)
        var log = [text(schedule.begin())]
        for (member, succeeded) in ends { log.append(text(schedule.finish(member, succeeded: succeeded))) }
        return (log, schedule.fates)
    }

    private func text(_ actions: GroupSchedule.Actions) -> String {
        actions.start.map(String.init).joined(separator: ",") + (actions.stopsRunning ? "stop" : "")
    }

    @Test func `Members without dependencies start at once, up to the limit and in order`() {
        #expect(walk([[], [], []], ends: []).log == ["0,1,2"])
        #expect(walk([[], [], []], limit: 2, ends: [(1, true), (0, true)]).log == ["0,1", "2", ""])
        #expect(walk([[], []], limit: 0, ends: [(0, true)]).log == ["0", "1"])
        #expect(walk([], ends: []).log == [""])
    }

    @Test func `A member starts when the last it needs has succeeded`() {
        let diamond = [[], [0], [0], [1, 2]]
        #expect(walk(diamond, ends: [(0, true), (2, true), (1, true)]).log == ["0", "1,2", "", "3"])
    }

    @Test func `A failure skips those that need it, directly or not, and no others`() {
        let (log, fates) = walk([[], [], [0], [2], [1]], ends: [(0, false), (1, true), (4, true)])
        #expect(log == ["0,1", "", "4", ""])
        #expect(fates == [.failed, .succeeded, .skipped(cause: 0), .skipped(cause: 0), .succeeded])
    }

    @Test func `Of two causes the first counts, and what was skipped never starts`() {
        let (log, fates) = walk([[], [], [0, 1]], ends: [(1, false), (0, true)])
        #expect(log == ["0,1", "", ""])
        #expect(fates == [.succeeded, .failed, .skipped(cause: 1)])
    }

    @Test func `The end that the policy waits for stops the rest`() {
        let failed = walk([[], [], []], limit: 2, stop: .atFailure, ends: [(0, false), (1, true)])
        #expect(failed.log == ["0,1", "stop", ""])
        #expect(failed.fates == [.failed, .succeeded, .stopped])
        let won = walk([[], [], []], limit: 2, stop: .atSuccess, ends: [(0, false), (2, true), (1, false)])
        #expect(won.log == ["0,1", "2", "stop", ""])
        #expect(won.fates == [.failed, .failed, .succeeded])
        #expect(walk([[]], stop: .atSuccess, ends: [(0, true)]).log == ["0", ""])
    }

    @Test func `An end that is told twice counts once`() {
        #expect(walk([[], [], [0, 1]], ends: [(0, true), (0, true), (1, true)]).log == ["0,1", "", "", "2"])
    }

    @Test(arguments: [
        ([[0]], [0, 0]), ([[1], [0]], [0, 1, 0]), ([[], [0, 3], [1], [2]], [1, 3, 2, 1]),
        ([[1], [2], [1]], [1, 2, 1]),
    ])
    func `A circle is found and named`(dependencies: [[Int]], cycle: [Int]) {
        #expect(GraphOrder.cycle(in: dependencies) == cycle)
    }

    @Test func `What has no circle passes, however deep`() {
        #expect(GraphOrder.cycle(in: []) == nil)
        #expect(GraphOrder.cycle(in: [[], [0], [0], [1, 2]]) == nil)
        #expect(GraphOrder.cycle(in: [[]] + (0..<100_000).map { [$0] }) == nil)
    }

    @Test func `Any graph without a circle is run whole, each member after those it needs`() {
        var random = SeededRandom(seed: 11)
        for _ in 0..<200 {
            let count = 1 + random.below(20)
            let dependencies = (0..<count).map { member in (0..<member).filter { _ in random.below(3) == 0 } }
            var schedule = GroupSchedule(dependencies: dependencies, limit: 1 + random.below(4))
            var running = schedule.begin().start
            var done: Set<Int> = []
            while !running.isEmpty {
                let member = running.remove(at: random.below(running.count))
                #expect(done.isSuperset(of: dependencies[member]))
                done.insert(member)
                running += schedule.finish(member, succeeded: true).start
            }
            #expect(done.count == count && schedule.completed == count)
        }
    }
}
