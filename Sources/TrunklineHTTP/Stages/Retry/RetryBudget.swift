/// How many retries a host gets in proportion to its requests: a bucket of tokens that each host of a session has. A
/// retry takes one token and isn't made when there is none; the failure then stands. So a server that is down for
/// everybody is not asked several times as often as one that is up.
///
/// The bucket is full at first. It gains ``ratio`` tokens with each request and ``perSecond`` tokens with each second,
/// and holds ``reserve`` tokens at most.
public struct RetryBudget: Hashable, Sendable {
    /// The tokens a request brings: 0.2 allows one retry for five requests in the long run. By default 0.2.
    public var ratio: Double
    /// The tokens a second brings, for hosts with few requests. By default 0.5.
    public var perSecond: Double
    /// The tokens the bucket holds at most, and has at first. By default 20.
    public var reserve: Double

    /// Makes a budget.
    public init(ratio: Double = 0.2, perSecond: Double = 0.5, reserve: Double = 20) {
        self.ratio = ratio
        self.perSecond = perSecond
        self.reserve = reserve
    }

    /// The same budget in numbers that can be reckoned with: negative ones and NaN are 0, and none is endless.
    var sane: RetryBudget {
        func sane(_ number: Double) -> Double { number > 0 ? min(number, 1e9) : 0 }
        return RetryBudget(ratio: sane(ratio), perSecond: sane(perSecond), reserve: sane(reserve))
    }
}
