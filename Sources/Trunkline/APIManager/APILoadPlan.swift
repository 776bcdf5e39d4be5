/// What a load is for.
struct APILoadPlan: Hashable, Sendable {
    /// A page of a list.
    struct Page: Hashable, Sendable {
        /// What the server knows it by.
        var target: PageTarget
        /// Whether the list begins anew with it.
        var startsList: Bool

        static func restart(_ target: PageTarget) -> Page { Page(target: target, startsList: true) }
    }

    /// Answer from the cache, however old, or fail.
    var cacheOnly = false
    /// The page a paging manager asks for.
    var page: Page?
}
