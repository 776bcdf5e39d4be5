import Foundation
import Testing
import TrunklineTesting

@testable import Trunkline

/// What a manager that is released leaves behind: nothing.
@Suite @MainActor struct LoadReleaseTests {
    private struct WeakLoad {
        weak var load: APILoad?
    }

    @Test(arguments: [ReloadPolicy.allow, .queue])
    func `the loads of a released manager go with it, those in a queue too`(policy: ReloadPolicy) async {
        var rig: Rig<TestAPI>? = Rig(TestAPI()) { exchange in
            try await Task.sleep(for: .seconds(60))
            return .stub(for: exchange, json: "{}")
        }
        rig?.manager.policy = policy
        for _ in 0..<3 { rig?.manager.loadData() }
        let loads = (rig?.manager.table.all ?? []).map { WeakLoad(load: $0) }
        #expect(loads.count == 3 && loads.allSatisfy { $0.load != nil })
        let screen = rig?.screen
        rig = nil
        #expect(await eventually { loads.allSatisfy { $0.load == nil } })
        #expect(screen?.ends.isEmpty == true)
    }

    @Test func `loads that have ended are let go of`() async {
        let rig = Rig(TestAPI()) { .stub(for: $0, json: "{}") }
        rig.manager.policy = .queue
        for _ in 0..<3 { rig.manager.loadData() }
        let loads = rig.manager.table.all.map { WeakLoad(load: $0) }
        #expect(await eventually { rig.screen.ends.count == 3 })
        #expect(await eventually { loads.allSatisfy { $0.load == nil } })
    }
}
