import Foundation
import TrunklineHTTP

/// A header field's value in a case: text, or a number, which in a date field is so many seconds from now.
enum FieldValue: Sendable, CustomStringConvertible {
    case text(String)
    case number(Int)

    init?(_ value: JSONValue?) {
        if let text = value?.string {
            self = .text(text)
        } else if let number = value?.int {
            self = .number(number)
        } else {
            return nil
        }
    }

    private static let dateFields: Set<String> = [
        "date", "expires", "last-modified", "if-modified-since", "if-unmodified-since", "retry-after",
    ]

    /// The value as it goes on the wire.
    ///
    /// - Parameters:
    ///   - name: the field.
    ///   - now: what numbers count from.
    func text(for name: String, now: Date, asRFC850 isRFC850: Bool = false) -> String {
        switch self {
        case .text(let text): return text
        case .number(let number):
            guard FieldValue.dateFields.contains(name.lowercased()) else { return String(number) }
            let date = now.addingTimeInterval(Double(number))
            return isRFC850 ? FieldValue.rfc850(date) : HTTPDate.format(date)
        }
    }

    /// `Sunday, 06-Nov-94 08:49:37 GMT` (RFC 9110, section 5.6.7).
    private static func rfc850(_ date: Date) -> String {
        let words = HTTPDate.format(date).split(separator: " ").map(String.init)
        let days = [
            "Sun,": "Sunday,", "Mon,": "Monday,", "Tue,": "Tuesday,", "Wed,": "Wednesday,", "Thu,": "Thursday,",
            "Fri,": "Friday,", "Sat,": "Saturday,",
        ]
        guard words.count == 6 else { return "" }
        return "\(days[words[0]] ?? words[0]) \(words[1])-\(words[2])-\(words[3].suffix(2)) \(words[4]) \(words[5])"
    }

    var description: String {
        switch self {
        case .text(let text): text
        case .number(let number): String(number)
        }
    }
}
