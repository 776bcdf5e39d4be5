/// What a load is for.
struct APILoadPlan: Hashable, Sendable {
    /// Answer from the cache, however old, or fail.
    var cacheOnly = false
    /// The page a paging manager asks for.
    var page: Int?
}
