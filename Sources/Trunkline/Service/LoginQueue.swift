/// The loads of a service that failed for want of a log-in, each once, in order. Keeps no manager.
@MainActor
struct LoginQueue {
    private struct Entry {
        weak var manager: BaseAPIManager?
        let plan: APILoadPlan
    }

    private var entries: [Entry] = []

    nonisolated init() {}

    mutating func insert(_ manager: BaseAPIManager, _ plan: APILoadPlan) {
        remove(manager, plan)
        entries.append(Entry(manager: manager, plan: plan))
    }

    /// Takes a load out, and those of managers that are gone.
    mutating func remove(_ manager: BaseAPIManager, _ plan: APILoadPlan) {
        entries.removeAll { $0.manager == nil || ($0.manager === manager && $0.plan == plan) }
    }

    mutating func takeAll() -> [(manager: BaseAPIManager, plan: APILoadPlan)] {
        defer { entries = [] }
        return entries.compactMap { entry in entry.manager.map { ($0, entry.plan) } }
    }
}
