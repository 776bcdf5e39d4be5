import Testing

@testable import TrunklineHTTP

@Suite("Progress on its way to the main actor") @MainActor
struct ProgressRelayTests {
    private func progress(_ completed: Int64) -> TransferProgress { TransferProgress(completed: completed, total: 9) }

    @Test("The newest value only while the main actor is busy; delivered by force before the end; nothing after it")
    func relay() async {
        var seen: [Int64] = []
        let relay = ProgressRelay { seen.append($0.completed) }
        // No hop can run before this function waits.
        relay.report(progress(1))
        relay.report(progress(2))
        #expect(seen.isEmpty)
        relay.deliver()
        relay.deliver()
        #expect(seen == [2])
        relay.report(progress(3))
        #expect(await eventually { seen == [2, 3] })
        relay.report(progress(4))
        relay.close()
        relay.deliver()
        relay.report(progress(5))
        let later = Task {}
        await later.value
        #expect(seen == [2, 3])
    }
}
