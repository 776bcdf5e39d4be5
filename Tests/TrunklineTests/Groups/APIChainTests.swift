import Foundation
import Testing
import Trunkline

@Suite struct APIChainTests {
    @Test func `Each step gets the result of the one before`() async throws {
        let chain = APIChain { 2 }.then { $0 * 3 }.then { "<\($0)>" }.then { $0.count }
        #expect(chain.stepCount == 4)
        #expect(try await chain.run() == 3)
        #expect(try await chain.run() == 3)
    }

    @Test func `A failure says which step, and the steps after it are not run`() async {
        let later = Collector<Void>()
        let chain = APIChain("order") { 1 }
            .then("pay") { (_: Int) -> Int in throw Broken(name: "declined") }
            .then("confirm") { (_: Int) in later.add(()) }
        let failure = await #expect(throws: ChainFailure.self) { try await chain.run() }
        #expect(
            failure?.step == 1 && failure?.name == "pay" && failure?.underlying as? Broken == Broken(name: "declined"))
        #expect(failure?.description.contains("Step 2 (pay)") == true)
        #expect(later.count == 0)
    }

    @Test func `A cancel ends the step that runs, once, and no other is run`() async {
        let hanger = Hanger()
        let later = Collector<Void>()
        let chain = APIChain { 1 }.then { _ in try await hanger.hang() }.then { later.add(()) }
        let run = Task { try await chain.run() }
        #expect(await eventually { hanger.starts.count == 1 })
        run.cancel()
        let failure = await #expect(throws: ChainFailure.self) { try await run.value }
        guard case .some(GroupError.cancelled) = failure?.underlying else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(failure?.step == 1 && hanger.cancels.count == 1 && later.count == 0)
    }

    @Test func `A step that pays no heed to the cancel does not make the chain succeed`() async {
        let started = Collector<Void>()
        let chain = APIChain {
            started.add(())
            _ = await eventually { Task.isCancelled }
        }
        let run = Task { try await chain.run() }
        #expect(await eventually { started.count == 1 })
        run.cancel()
        await #expect(throws: ChainFailure.self) { try await run.value }
    }

    @Test func `The closure form calls once, on the queue asked for`() async throws {
        let queue = DispatchQueue(label: "chain")
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        let heard = Collector<Bool>()
        let run = APIChain { 5 }.start(on: queue) { result in
            heard.add(DispatchQueue.getSpecific(key: key) == true && (try? result.get()) == 5)
        }
        let value = try await run.output.get()
        #expect(value == 5)
        #expect(heard.all == [true])
    }
}
