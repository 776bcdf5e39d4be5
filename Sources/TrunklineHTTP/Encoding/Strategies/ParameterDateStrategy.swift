import Foundation

/// How a date is written, in every encoder alike.
public enum ParameterDateStrategy: Sendable {
    /// UTC with whole seconds, `2026-03-01T09:30:00Z` (RFC 3339); a fraction is cut off. The default.
    case iso8601
    /// UTC with milliseconds, `2026-03-01T09:30:00.250Z`.
    case iso8601WithMilliseconds
    /// Seconds since 1970, a fraction where there is one: `1772357400.25`.
    case secondsSince1970
    /// Whole milliseconds since 1970.
    case millisecondsSince1970
    /// Text the app makes.
    case formatted(@Sendable (Date) -> String)

    /// What is written: text or a number.
    func value(of date: Date, at path: ParameterPath) throws(RequestFailure) -> ParameterValue {
        let seconds = date.timeIntervalSince1970
        switch self {
        case .formatted(let format): return .string(format(date))
        case .iso8601, .iso8601WithMilliseconds:
            var milliseconds = false
            if case .iso8601WithMilliseconds = self { milliseconds = true }
            guard let text = ISO8601.text(secondsSince1970: seconds, milliseconds: milliseconds) else {
                throw path.failure("the date is outside the years 0 to 9999")
            }
            return .string(text)
        case .secondsSince1970:
            guard seconds.isFinite else { throw path.failure("the date is not finite") }
            return .double(seconds)
        case .millisecondsSince1970:
            guard let milliseconds = Int64(exactly: (seconds * 1000).rounded()) else {
                throw path.failure("the date is too far away to count in milliseconds")
            }
            return .int(milliseconds)
        }
    }
}
