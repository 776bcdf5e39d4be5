/// How many requests of a session are on their way at the same time; the others wait in a queue.
///
///     configuration.limits = RequestLimits(maximumPerHost: 6)
///
/// A request holds its place from the moment it is sent until its response is complete; one that is delivered as a
/// stream, until the stream has ended or was dropped. A wait before a retry holds no place. A redirect counts as part of
/// the request, on the host it was made for.
///
/// The order of the queue: the higher ``RequestOptions/priority`` first and, within one, first come first served. No
/// request starves: for every ``ageing`` interval it has waited it counts as one priority higher than it is. A request
/// that is cancelled leaves the queue at once. Time spent in the queue counts towards no limit of ``Timeouts``.
public struct RequestLimits: Hashable, Sendable {
    /// The most requests to one scheme, host and port; nil for no limit. Values below 1 count as 1.
    public var maximumPerHost: Int?
    /// The most requests of the session; nil for no limit. Values below 1 count as 1.
    public var maximumInAll: Int?
    /// The wait that makes up for one step of priority; by default 5 s. Zero makes priorities count for nothing.
    public var ageing: Duration

    /// Makes limits; what is left out is not limited.
    public init(maximumPerHost: Int? = nil, maximumInAll: Int? = nil, ageing: Duration = .seconds(5)) {
        self.maximumPerHost = maximumPerHost
        self.maximumInAll = maximumInAll
        self.ageing = ageing
    }

    /// No limits: a session's default.
    public static let none = RequestLimits()

    /// Whether anything is limited.
    var isLimiting: Bool { maximumPerHost != nil || maximumInAll != nil }
}
