import Foundation

/// HTTP dates in their three forms (RFC 9110, section 5.6.7), independent of the user's locale and time zone.
package enum HTTPDate {
    /// The date, or nil when the text is none of the forms.
    package static func parse(_ text: String) -> Date? {
        for format in formats {
            if let date = formatter(format).date(from: text) { return date }
        }
        return nil
    }

    /// The date as an IMF-fixdate, `Sun, 06 Nov 1994 08:49:37 GMT`.
    package static func format(_ date: Date) -> String {
        formatter("EEE, dd MMM yyyy HH:mm:ss 'GMT'").string(from: date)
    }

    private static let formats = [
        "EEE, dd MMM yyyy HH:mm:ss 'GMT'",
        "EEEE, dd-MMM-yy HH:mm:ss 'GMT'",
        "EEE MMM d HH:mm:ss yyyy",
    ]

    private static func formatter(_ format: String) -> DateFormatter {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.calendar = Calendar(identifier: .gregorian)
        formatter.isLenient = false
        formatter.dateFormat = format
        return formatter
    }
}
