import Foundation

/// The dates of cookies, which are written in every way there is (RFC 6265, section 5.1.1).
enum CookieDate {
    /// The date, or nil where day, month, year or time is missing or impossible.
    static func parse(_ text: String) -> Date? {
        var time: (Int, Int, Int)?
        var day: Int?
        var month: Int?
        var year: Int?
        for token in text.split(whereSeparator: isDelimiter) {
            if time == nil, let parsed = self.time(token) {
                time = parsed
            } else if day == nil, let number = leadingNumber(token, digits: 1...2) {
                day = number
            } else if month == nil, let number = months.firstIndex(of: token.prefix(3).lowercased()) {
                month = number + 1
            } else if year == nil, let number = leadingNumber(token, digits: 2...4) {
                year = number
            }
        }
        guard let time, let day, let month, var year else { return nil }
        if (70...99).contains(year) { year += 1900 }
        if (0...69).contains(year) { year += 2000 }
        guard (1...31).contains(day), year >= 1601, time.0 <= 23, time.1 <= 59, time.2 <= 59 else { return nil }
        var components = DateComponents()
        components.calendar = Calendar(identifier: .gregorian)
        components.timeZone = TimeZone(secondsFromGMT: 0)
        (components.year, components.month, components.day) = (year, month, day)
        (components.hour, components.minute, components.second) = time
        return components.isValidDate ? components.date : nil
    }

    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]

    private static func isDelimiter(_ character: Character) -> Bool {
        guard let byte = character.asciiValue else { return false }
        return byte == 0x09 || (0x20...0x2F).contains(byte) || (0x3B...0x40).contains(byte)
            || (0x5B...0x60).contains(byte) || (0x7B...0x7E).contains(byte)
    }

    private static func time(_ token: Substring) -> (Int, Int, Int)? {
        let fields = token.split(separator: ":", omittingEmptySubsequences: false)
        guard fields.count == 3, let hour = exactNumber(fields[0]), let minute = exactNumber(fields[1]),
            let second = leadingNumber(fields[2], digits: 1...2)
        else { return nil }
        return (hour, minute, second)
    }

    private static func exactNumber(_ text: Substring) -> Int? {
        (1...2).contains(text.count) && text.allSatisfy(\.isASCIIDigit) ? Int(text) : nil
    }

    /// The digits a token begins with, where there are as many as allowed and no more follow.
    private static func leadingNumber(_ token: Substring, digits allowed: ClosedRange<Int>) -> Int? {
        let digits = token.prefix(while: \.isASCIIDigit)
        return allowed.contains(digits.count) ? Int(digits) : nil
    }
}

extension Character {
    fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
}
