import Foundation
import Testing
import Trunkline

@Suite struct BatchTests {
    @Test func `All values come back under their keys`() async throws {
        var batch = Batch<String, Int>()
        for number in 1...5 { batch.add("\(number)") { number * number } }
        let outcome = await batch.run()
        #expect(outcome.isSuccess && outcome.keys == ["1", "2", "3", "4", "5"])
        #expect(try outcome.allValues() == ["1": 1, "2": 4, "3": 9, "4": 16, "5": 25])
    }

    @Test func `A batch of nothing has succeeded`() async throws {
        let outcome = await Batch<Int, Int>().run()
        #expect(try outcome.allValues().isEmpty)
        #expect(outcome.isSuccess)
        let first = await Batch<Int, Int>(policy: .firstSuccess).run()
        #expect(!first.isSuccess)
        let error = #expect(throws: GroupError.self) { try first.firstValue() }
        guard case .noMembers = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `All or nothing: the first failure cancels the others once, and its error is the batch's`() async {
        let hanger = Hanger()
        var batch = Batch<Int, Void>()
        for key in 0..<4 { batch.add(key) { try await hanger.hang() } }
        batch.add(9) {
            _ = await eventually { hanger.starts.count == 4 }
            throw Broken(name: "nine")
        }
        let outcome = await batch.run()
        #expect(!outcome.isSuccess && !outcome.isCancelled && outcome.firstFailure == 9)
        #expect(throws: Broken(name: "nine")) { try outcome.allValues() }
        #expect(hanger.cancels.count == 4)
        for key in 0..<4 {
            guard case .failure(GroupError.cancelled) = outcome.results[key] else {
                Issue.record("\(String(describing: outcome.results[key]))")
                continue
            }
        }
    }

    @Test func `Collect: every member ends in its own way`() async {
        var batch = Batch<Int, Int>(policy: .collect)
        for key in 0..<6 { batch.add(key) { if key % 2 == 0 { key } else { throw Broken(name: "\(key)") } } }
        let outcome = await batch.run()
        #expect(outcome.isSuccess && outcome.values == [0: 0, 2: 2, 4: 4])
        #expect(outcome.failures.mapValues { ($0 as? Broken)?.name } == [1: "1", 3: "3", 5: "5"])
    }

    @Test func `First success: failures are passed over, the others are cancelled`() async throws {
        let hanger = Hanger()
        var batch = Batch<String, Int>(policy: .firstSuccess)
        batch.add("slow") {
            try await hanger.hang()
            return 1
        }
        batch.add("broken") { throw Broken() }
        batch.add("good") {
            _ = await eventually { hanger.starts.count == 1 }
            return 3
        }
        let outcome = await batch.run()
        #expect(try outcome.firstValue() == 3)
        #expect(outcome.isSuccess && outcome.firstSuccess == "good")
        #expect(hanger.cancels.count == 1)
    }

    @Test func `First success of failures has all their errors, in order`() async {
        let error = await #expect(throws: GroupError.self) {
            try await APIBatch.firstSuccess(of: (0..<3).map { n in GroupTask<Int> { throw Broken(name: "\(n)") } })
        }
        guard case .allFailed(let errors) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(errors.map { ($0 as? Broken)?.name } == ["0", "1", "2"])
    }

    @Test(arguments: [1, 2, 5, 0, -3]) func `No more members run at once than the limit says`(limit: Int) async throws {
        let occupancy = Occupancy()
        var batch = Batch<Int, Void>(maximumConcurrency: limit)
        for key in 0..<12 { batch.add(key) { await occupancy.visit { await Task.yield() } } }
        #expect(await batch.run().isSuccess)
        #expect(occupancy.most <= max(1, limit) && occupancy.now == 0)
    }

    @Test func `With a limit of one, members run in the order they were added`() async {
        let order = Collector<Int>()
        var batch = Batch<Int, Void>(maximumConcurrency: 1)
        for key in 0..<20 { batch.add(key) { order.add(key) } }
        batch.add(3) { order.add(103) }
        _ = await batch.run()
        #expect(order.all == [0, 1, 2, 103] + Array(4..<20))
    }

    @Test func `Progress is told in order and ends at one`() async {
        let heard = Collector<GroupProgress>()
        var batch = Batch<Int, Void>(policy: .collect, maximumConcurrency: 3)
        for key in 0..<10 { batch.add(key) { if key == 4 { throw Broken() } } }
        _ = await batch.run { heard.add($0) }
        #expect(heard.all.map(\.completed) == Array(1...10) && heard.all.last?.fraction == 1)
        #expect(GroupProgress(completed: 0, total: 0).fraction == 1)
    }

    @Test func `Members that were never started are counted too when the batch stops`() async {
        let heard = Collector<GroupProgress>()
        var batch = Batch<Int, Void>(maximumConcurrency: 1)
        for key in 0..<5 { batch.add(key) { throw Broken() } }
        _ = await batch.run { heard.add($0) }
        #expect(heard.all.map(\.completed) == [5])
    }

    @Test func `Cancelling the task cancels every member once`() async {
        let hanger = Hanger()
        var batch = Batch<Int, Void>(policy: .collect)
        for key in 0..<3 { batch.add(key) { try await hanger.hang() } }
        batch.add(3) {}
        let run = Task { [batch] in await batch.run() }
        #expect(await eventually { hanger.starts.count == 3 })
        run.cancel()
        let outcome = await run.value
        #expect(outcome.isCancelled && !outcome.isSuccess && hanger.cancels.count == 3)
        #expect(throws: GroupError.self) { try outcome.allValues() }
    }

    @Test func `A batch in a cancelled task starts nothing`() async {
        let hanger = Hanger()
        var batch = Batch<Int, Void>()
        batch.add(0) { try await hanger.hang() }
        let run = Task { [batch] in
            _ = await eventually { Task.isCancelled }
            return await batch.run()
        }
        run.cancel()
        #expect(await run.value.isCancelled)
        #expect(hanger.starts.count == 0)
    }

    @Test func `The form of packs keeps every type`() async throws {
        let (number, text, list) = try await APIBatch.all(
            GroupTask { 1 }, GroupTask { "two" }, GroupTask { [3.0] }, maximumConcurrency: 2)
        #expect(number + 1 == 2 && text + "!" == "two!" && list == [3])
        let (good, bad) = await APIBatch.collect(GroupTask { 1 }, GroupTask<String> { throw Broken(name: "b") })
        #expect(try good.get() == 1)
        #expect(throws: Broken(name: "b")) { try bad.get() }
        await #expect(throws: Broken(name: "c")) {
            try await APIBatch.all(GroupTask { 1 }, GroupTask<String> { throw Broken(name: "c") })
        }
    }
}
