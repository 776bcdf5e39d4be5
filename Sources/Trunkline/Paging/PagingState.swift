/// Where a list stands, to be saved and restored: after a relaunch `loadNextPage()` goes on where it stopped.
public struct PagingState: Hashable, Sendable, Codable {
    /// The version of the form this is saved in.
    static let currentVersion = 1

    /// The version of the form.
    let version: Int
    /// The page that comes next; nil after the last.
    let next: PageTarget?
    /// The page that was accepted last.
    let currentPage: Int?
    let totalCount: Int?
    let loadedItemCount: Int

    /// What keeps the state from being used; nil when nothing does.
    func problem(for strategy: PagingStrategy) -> String? {
        if version != Self.currentVersion { return "its version is \(version), not \(Self.currentVersion)" }
        if loadedItemCount < 0 || totalCount ?? 0 < 0 { return "it counts fewer than no items" }
        if let next, !strategy.accepts(next) { return "it is of a list with another paging strategy" }
        return nil
    }
}
