import Foundation

/// HTTP dates in their three forms (RFC 9110, section 5.6.7), read and written by hand: no locale, calendar or time zone
/// of the user's can change them, and any text is read without trapping.
package enum HTTPDate {
    /// The date, or nil when the text is none of the forms. Day and month names may be in any case; whether the day of
    /// the week is the right one is not checked.
    ///
    /// - Parameter now: settles the century of a two-digit year: a date that seems more than 50 years ahead is of the
    ///   century before.
    package static func parse(_ text: String, now: Date = Date()) -> Date? {
        let words = text.utf8.split { $0 == 0x20 || $0 == 0x09 }
        switch words.count {
        case 6:  // Sun, 06 Nov 1994 08:49:37 GMT
            guard isDay(words[0], shortWithComma: true), isGMT(words[5]), words[3].count == 4,
                let year = number(words[3], digits: 4), let clock = Clock(words[4])
            else { return nil }
            return date(year: year, month: words[2], day: words[1], clock)
        case 5:  // Sun Nov  6 08:49:37 1994
            guard isDay(words[0], shortWithComma: false), words[4].count == 4,
                let year = number(words[4], digits: 4), let clock = Clock(words[3])
            else { return nil }
            return date(year: year, month: words[1], day: words[2], clock)
        case 4:  // Sunday, 06-Nov-94 08:49:37 GMT
            let parts = words[1].split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
            guard isLongDay(words[0]), isGMT(words[3]), parts.count == 3, let clock = Clock(words[2]),
                let year = number(parts[2], digits: 4)
            else { return nil }
            switch parts[2].count {
            case 4: return date(year: year, month: parts[1], day: parts[0], clock)
            case 2: return shortYearDate(year, month: parts[1], day: parts[0], clock, now: now)
            default: return nil
            }
        default:
            return nil
        }
    }

    /// The date as an IMF-fixdate, `Sun, 06 Nov 1994 08:49:37 GMT`, fractions of a second cut off. Dates before the year
    /// 0 and after 9999, which the form can't express, become the first and the last it can.
    package static func format(_ date: Date) -> String {
        let interval = date.timeIntervalSince1970
        let seconds = Int64(interval.isNaN ? 0 : min(max(interval.rounded(.down), first), last))
        let days = seconds.floorDivided(by: 86_400)
        let second = seconds - days * 86_400
        let (year, month, day) = CivilDate.date(ofDay: days)
        let weekday = shortDays[Int(days + 4 - (days + 4).floorDivided(by: 7) * 7)]
        let (hour, minute) = (second / 3600, second / 60 % 60)
        return "\(weekday), \(padded(day, 2)) \(months[month - 1]) \(padded(year, 4)) "
            + "\(padded(hour, 2)):\(padded(minute, 2)):\(padded(second % 60, 2)) GMT"
    }

    private static let first = -62_167_219_200.0  // 0000-01-01T00:00:00Z
    private static let last = 253_402_300_799.0  // 9999-12-31T23:59:59Z
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    private static let shortDays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let longDays = [
        "sunday,", "monday,", "tuesday,", "wednesday,", "thursday,", "friday,", "saturday,",
    ]

    private typealias Word = Substring.UTF8View

    /// A time of day; the second may be 60, a leap second, which counts as the next minute's first.
    private struct Clock {
        let seconds: Int64

        init?(_ word: Word) {
            let parts = word.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
            guard parts.count == 3, let hour = number(parts[0], digits: 2), let minute = number(parts[1], digits: 2),
                let second = number(parts[2], digits: 2), hour < 24, minute < 60, second <= 60
            else { return nil }
            seconds = Int64(hour * 3600 + minute * 60 + second)
        }
    }

    private static func shortYearDate(_ year: Int, month: Word, day: Word, _ clock: Clock, now: Date) -> Date? {
        let thisYear = CivilDate.year(of: now)
        // The century in which the date is at most 50 years ahead; 29 February decides with the others, by its year.
        var candidate = thisYear / 100 * 100 + year + 100
        while candidate > 99, isFarAhead(candidate, month, day, clock, now: now) { candidate -= 100 }
        return date(year: candidate, month: month, day: day, clock)
    }

    private static func isFarAhead(_ year: Int, _ month: Word, _ day: Word, _ clock: Clock, now: Date) -> Bool {
        let limit = CivilDate.year(of: now) + 50
        guard year == limit else { return year > limit }
        guard let date = date(year: year, month: month, day: day, clock),
            let then = CivilDate.sameTime(as: now, inYear: limit)
        else { return false }
        return date > then
    }

    private static func date(year: Int, month: Word, day: Word, _ clock: Clock) -> Date? {
        guard let month = months.firstIndex(where: { isEqual(month, $0) }), let day = number(day, digits: 2),
            let days = CivilDate.day(year: year, month: month + 1, day: day)
        else { return nil }
        return Date(timeIntervalSince1970: Double(days * 86_400 + clock.seconds))
    }

    private static func isDay(_ word: Word, shortWithComma: Bool) -> Bool {
        guard shortWithComma else { return shortDays.contains { isEqual(word, $0) } }
        return word.last == UInt8(ascii: ",") && shortDays.contains { isEqual(word.dropLast(), $0) }
    }

    private static func isLongDay(_ word: Word) -> Bool { longDays.contains { isEqual(word, $0) } }

    private static func isGMT(_ word: Word) -> Bool { isEqual(word, "GMT") }

    private static func isEqual(_ word: Word, _ text: String) -> Bool {
        HTTPHeaders.equal(String(Substring(word)), text)
    }

    private static func number(_ word: Word, digits: Int) -> Int? {
        guard (1...digits).contains(word.count), word.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return word.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    private static func padded(_ number: some BinaryInteger, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
