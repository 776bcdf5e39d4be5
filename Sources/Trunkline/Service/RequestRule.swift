/// What holds for the requests of a service that match a pattern; see ``Service/configure(_:_:)``. What is left alone is
/// decided elsewhere.
public struct RequestRule: Sendable {
    /// Header fields: they win over the service's, and the manager's own over them.
    public var headers: HTTPHeaders = [:]
    /// The time limits, in the place of the service's; those a manager gives itself win.
    public var timeouts: Timeouts?
    /// What the session's response cache may do, in the place of the service's policy; that of a manager itself wins. The
    /// cache of a manager (``BaseAPIManager/shouldCache()``) is asked before it.
    public var cachePolicy: CachePolicy?
    /// When the request is sent again after a failure, in the place of the session's policy.
    public var retry: RetryPolicy?

    /// Makes a rule that changes nothing.
    public init() {}

    /// This rule with a later one over it.
    func merging(_ later: RequestRule) -> RequestRule {
        var merged = self
        merged.headers.merge(later.headers)
        merged.timeouts = later.timeouts ?? timeouts
        merged.cachePolicy = later.cachePolicy ?? cachePolicy
        merged.retry = later.retry ?? retry
        return merged
    }
}
