import Testing
import Trunkline
import TrunklineTesting

@MainActor
@Suite("Loads that end with their owner")
struct LoadOwnerTests {
    private final class Owner: APILoadOwner {
        let loadLifetime = LoadLifetime()
    }

    private func hanging(_ cancelled: Protected<Int>) -> Rig<TestAPI> {
        Rig(TestAPI()) { _ in
            defer { cancelled.withLock { $0 += Task.isCancelled ? 1 : 0 } }
            try await Task.sleep(for: .seconds(600))
            throw HTTPError.offline
        }
    }

    @Test("When the owner goes, loads are cancelled, nobody is called, and who waits gets an end")
    func ownerGoes() async {
        for _ in 0..<20 {
            let cancelled = Protected(0)
            let rig = hanging(cancelled)
            var owner: Owner? = Owner()
            if let owner { rig.manager.bind(to: owner) }
            rig.manager.loadData()
            var waited: [APIErrorType?] = []
            rig.manager.load { result in
                if case .failure(let error) = result { waited.append(error.type) }
            }
            #expect(await eventually { rig.stub.requests.count == 2 })
            weak let gone = owner
            owner = nil
            #expect(gone == nil, "the manager keeps its owner")
            #expect(await eventually { cancelled.current == 2 && !rig.manager.isLoading && waited.count == 1 })
            #expect(waited == [.cancelled] && rig.screen.ends.isEmpty && !rig.screen.log.contains("beforeFail"))

            // No load is made for an owner who is gone.
            #expect(rig.manager.loadData() == nil)
            let error = await #expect(throws: APIError.self) { _ = try await rig.manager.load() }
            #expect(error?.type == .cancelled && rig.screen.ends.isEmpty && rig.stub.requests.count == 2)
        }
    }

    @Test("Loads keep the owner they were made for, and a manager may get another")
    func rebinding() async {
        let isOpen = Protected(false)
        let rig = Rig(TestAPI()) { exchange in
            while !isOpen.current { try await Task.sleep(for: .milliseconds(1)) }
            return .stub(for: exchange, json: "{}")
        }
        var first: Owner? = Owner()
        let second = Owner()
        if let first { rig.manager.bind(to: first) }
        rig.manager.loadData()
        rig.manager.bind(to: second)
        let kept = rig.manager.loadData()
        first = nil
        #expect(await eventually { rig.manager.loadingRequestIDs == [kept].compactMap(\.self) })
        isOpen.withLock { $0 = true }
        #expect(await eventually { rig.screen.ends.count == 1 })
        #expect(rig.screen.ends.first?.id == kept && first == nil)
        second.loadLifetime.end()
        #expect(rig.manager.loadData() == nil)
        rig.manager.unbind()
        #expect(rig.manager.loadData() != nil)
        #expect(await eventually { rig.screen.ends.count == 2 })
    }
}
