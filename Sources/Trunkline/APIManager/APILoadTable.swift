/// The loads of one manager that have not ended, in the order they were made.
@MainActor
struct APILoadTable {
    private(set) var all: [APILoad] = []

    nonisolated init() {}

    var isEmpty: Bool { all.isEmpty }
    var ids: [RequestID] { all.map(\.id) }

    subscript(id: RequestID) -> APILoad? { all.first { $0.id == id } }

    /// Whether the load has not ended.
    func contains(_ load: APILoad) -> Bool { all.contains { $0 === load } }

    mutating func insert(_ load: APILoad) { all.append(load) }

    /// Takes the load out; false when it had ended already.
    mutating func remove(_ load: APILoad) -> Bool {
        guard let index = all.firstIndex(where: { $0 === load }) else { return false }
        all.remove(at: index)
        return true
    }
}
