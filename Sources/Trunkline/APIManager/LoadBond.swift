/// What ties loads to the life of their owner; outlives it.
final class LoadBond: Sendable {
    private struct Member: Sendable {
        weak var manager: BaseAPIManager?
    }

    private struct State: Sendable {
        var isBroken = false
        var members: [Member] = []
    }

    private let state = Protected(State())

    var isBroken: Bool { state.withLock { $0.isBroken } }

    func add(_ manager: BaseAPIManager) {
        state.withLock { state in
            state.members.removeAll { $0.manager == nil || $0.manager === manager }
            state.members.append(Member(manager: manager))
        }
    }

    /// The owner is gone. From any thread; the loads end on the main actor.
    func sever() {
        let members = state.withLock { state in
            state.isBroken = true
            defer { state.members = [] }
            return state.members
        }
        guard !members.isEmpty else { return }
        Task { @MainActor in
            for member in members { member.manager?.cancelLoads(of: self) }
        }
    }
}
