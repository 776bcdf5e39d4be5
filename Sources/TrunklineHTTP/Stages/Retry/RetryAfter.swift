import Foundation

/// The `Retry-After` field (RFC 9110, section 10.2.3): seconds, or a date.
package enum RetryAfter {
    /// The wait the field asks for, or nil when it is absent, past or not valid. A number too large for the clock
    /// becomes the largest duration that is safe to compare.
    package static func parse(_ value: String?, now: Date) -> Duration? {
        guard let text = value?.trimmingCharacters(in: .whitespaces), !text.isEmpty else { return nil }
        if text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            return .seconds(min(Int64(text) ?? .max, 1 << 32))
        }
        guard let date = HTTPDate.parse(text, now: now) else { return nil }
        let seconds = date.timeIntervalSince(now)
        return seconds > 0 ? .seconds(min(seconds, Double(1 << 32))) : nil
    }
}
