import Foundation

/// How long a stored answer is fresh, and how old it was when it arrived: what follows from its head and the clock at that
/// time (RFC 9111, section 4.2). All times are in seconds.
struct Freshness: Hashable, Sendable {
    /// The directives of the answer.
    let control: CacheControl
    /// The freshness lifetime (section 4.2.1).
    let lifetime: Double
    /// Whether the lifetime is a guess from `Last-Modified` (section 4.2.2).
    let isHeuristic: Bool
    /// `corrected_initial_age` (section 4.2.3).
    let initialAge: Double
    /// The wall clock when the answer had arrived.
    let arrivedAt: Double

    /// The share of the time since the last change for which an answer without a lifetime is fresh (section 4.2.2).
    static let heuristicShare = 0.1
    /// The longest guess, a day: whoever wants more says so.
    static let longestGuess = 86_400.0

    /// - Parameters:
    ///   - requestedAt: when the request was sent.
    ///   - arrivedAt: when the answer had arrived.
    init(status: Int, headers: HTTPHeaders, requestedAt: Date, arrivedAt: Date) {
        control = CacheControl(headers)
        self.arrivedAt = arrivedAt.timeIntervalSince1970

        let date = headers["Date"].flatMap { StrictDate.parse($0, now: arrivedAt) }
        // Section 4.2.3. A clock that was changed in between gives no negative delay.
        let apparentAge = date.map { max(0, arrivedAt.timeIntervalSince($0)) } ?? 0
        let delay = max(0, arrivedAt.timeIntervalSince(requestedAt))
        initialAge = min(1e12, max(apparentAge, Freshness.age(headers) + delay))

        if let maxAge = control.maxAge {
            (lifetime, isHeuristic) = (Double(maxAge), false)
        } else if headers.contains("Expires") {
            // Section 5.3: a date that can't be read is in the past.
            let expires = Freshness.expires(headers, now: arrivedAt)
            lifetime = expires.map { max(0, $0.timeIntervalSince(date ?? arrivedAt)) } ?? 0
            isHeuristic = false
        } else if control.isPublic || StatusCodes.isHeuristicallyCacheable(status),
            let changed = headers["Last-Modified"].flatMap({ StrictDate.parse($0, now: arrivedAt) })
        {
            let sinceChange = max(0, (date ?? arrivedAt).timeIntervalSince(changed))
            (lifetime, isHeuristic) = (min(Freshness.longestGuess, sinceChange * Freshness.heuristicShare), true)
        } else {
            (lifetime, isHeuristic) = (0, false)
        }
    }

    /// `current_age` (section 4.2.3). An answer from the future, more than ``CachedResponse/toleratedClockSkew`` ahead, is
    /// older than everything: the clock was set back, and its age is unknown.
    func age(at now: Date) -> Double {
        let resident = now.timeIntervalSince1970 - arrivedAt
        if resident < -CachedResponse.toleratedClockSkew.seconds { return 1e12 }
        return min(1e12, initialAge + max(0, resident))
    }

    /// How long it is still fresh; zero and less means stale, since then (section 4.2).
    func remaining(at now: Date) -> Double { lifetime - age(at: now) }

    /// The value of `Age` (section 5.1): the first member of the first line; a parameter behind it is passed over. What is
    /// no number of seconds is ignored.
    static func age(_ headers: HTTPHeaders) -> Double {
        guard let line = headers.first(where: { HTTPHeaders.equal($0.name, "Age") }) else { return 0 }
        let member = line.value.utf8.prefix { $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: ";") }
        let text = String(Substring(FieldList.trim(member)))
        return CacheControl.seconds(text).map(Double.init) ?? 0
    }

    /// The date in `Expires`: of several different lines none (section 4.2.1).
    private static func expires(_ headers: HTTPHeaders, now: Date) -> Date? {
        let values = Set(headers.values(for: "Expires"))
        guard values.count == 1, let value = values.first else { return nil }
        return StrictDate.parse(value, now: now)
    }
}
