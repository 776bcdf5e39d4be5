import Foundation
import Testing
import Trunkline

@Suite struct GroupRunTests {
    private let rounds = Sanitizer.isThread ? 100 : 400

    @Test @MainActor func `After a cancel on the main actor the completion hears of it and of nothing else`() async {
        for round in 0..<rounds {
            var batch = Batch<Int, Int>(policy: .collect)
            for key in 0..<4 { batch.add(key) { key } }
            let heard = Collector<Bool>()
            let run = batch.start { heard.add($0.isCancelled && $0.values.isEmpty) }
            for _ in 0..<(round % 8) { await Task.yield() }
            let before = heard.count
            run.cancel()
            run.cancel()
            let output = await run.output
            #expect(await eventually { heard.count == 1 })
            if before == 0 { #expect(heard.all == [true] && output.isCancelled) } else { #expect(heard.all == [false]) }
        }
    }

    @Test func `Cancels and releases from any side leave one completion and one cancel a member`() async {
        for round in 0..<rounds {
            let hangers = (0..<3).map { _ in Hanger() }
            var batch = Batch<Int, Void>(policy: .collect, maximumConcurrency: round % 2 == 0 ? nil : 2)
            for (key, hanger) in hangers.enumerated() { batch.add(key) { try await hanger.hang() } }
            batch.add(9) { await Task.yield() }
            let heard = Collector<Bool>()
            var run: GroupRun<BatchOutcome<Int, Void>>? = batch.start(on: DispatchQueue(label: "run")) {
                heard.add($0.isCancelled)
            }
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<2 { group.addTask { [run] in run?.cancel() } }
                group.addTask { [run] in _ = await run?.output }
            }
            run = nil
            #expect(heard.all == [true])
            for hanger in hangers { #expect(hanger.cancels.count == hanger.starts.count) }
        }
    }

    @Test func `Waiting for a run in a task that is cancelled cancels the run`() async {
        let hanger = Hanger()
        var batch = Batch<Int, Void>()
        batch.add(0) { try await hanger.hang() }
        let run = batch.start { _ in }
        let waiting = Task { await run.output }
        #expect(await eventually { hanger.starts.count == 1 })
        waiting.cancel()
        #expect(await waiting.value.isCancelled)
    }

    @Test func `A stream of the progress goes from where it is to the end, then ends`() async {
        var batch = Batch<Int, Void>(policy: .collect, maximumConcurrency: 1)
        for key in 0..<20 { batch.add(key) { await Task.yield() } }
        let run = batch.start { _ in }
        var seen: [Int] = []
        for await progress in run.progressUpdates { seen.append(progress.completed) }
        #expect(seen == seen.sorted() && seen.last == 20)
        var after: [Double] = []
        for await progress in run.progressUpdates { after.append(progress.fraction) }
        #expect(after == [1])
    }

    @Test func `Deep and wide graphs survive a cancel at any moment`() async throws {
        var random = SeededRandom(seed: 3)
        for _ in 0..<(rounds / 4) {
            let inside = Occupancy()
            let ran = Collector<Int>()
            var graph = DependencyGraph(maximumConcurrency: 1 + random.below(4))
            for number in 0..<20 {
                let key = NodeKey<Int>("\(number)")
                let work: @Sendable () async -> Int = {
                    await inside.visit { await Task.yield() }
                    ran.add(number)
                    return number
                }
                if number < 3 {
                    graph.add(key) { await work() }
                } else {
                    graph.add(
                        key, after: NodeKey<Int>("\(random.below(number))"), NodeKey<Int>("\(random.below(number))")
                    ) { _, _ in await work() }
                }
            }
            let plan = try graph.build()
            let run = Task { await plan.run() }
            for _ in 0..<random.below(30) { await Task.yield() }
            run.cancel()
            let outcome = await run.value
            #expect(inside.now == 0 && Set(ran.all).count == ran.count)
            if !outcome.isCancelled { #expect(ran.count == 20) }
        }
    }
}
