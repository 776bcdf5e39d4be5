import Foundation

/// Dates as HAR files have them: ISO 8601 with milliseconds and a time zone.
enum HARDate {
    static func text(_ date: Date) -> String {
        // The style cuts; a tenth more keeps a rounded millisecond from falling below itself.
        let rounded = Date(timeIntervalSince1970: (date.timeIntervalSince1970 * 1000).rounded() / 1000 + 0.0001)
        return rounded.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }

    static func parse(_ text: String) -> Date? {
        (try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
            ?? (try? Date(text, strategy: Date.ISO8601FormatStyle()))
    }
}
