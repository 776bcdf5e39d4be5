/// Timestamps by RFC 3339 in UTC, from plain arithmetic: no shared formatter, no locale, no calendar.
enum ISO8601 {
    /// The timestamp, or nil outside the years 0 to 9999.
    static func text(secondsSince1970 seconds: Double, milliseconds: Bool) -> String? {
        // Year 0 begins and year 10000 begins at these seconds; NaN fails both comparisons.
        guard seconds >= -62_167_219_200, seconds < 253_402_300_800 else { return nil }
        var whole = Int(seconds.rounded(.down))
        var thousandths = 0
        if milliseconds {
            let total = Int((seconds * 1000).rounded())
            thousandths = ((total % 1000) + 1000) % 1000
            whole = (total - thousandths) / 1000
        }
        let secondOfDay = ((whole % 86400) + 86400) % 86400
        let date = civil(day: (whole - secondOfDay) / 86400)
        guard date.year <= 9999 else { return nil }  // rounding up the last millisecond

        var text = "\(padded(date.year, 4))-\(padded(date.month, 2))-\(padded(date.day, 2))T"
        text += "\(padded(secondOfDay / 3600, 2)):\(padded(secondOfDay / 60 % 60, 2)):\(padded(secondOfDay % 60, 2))"
        if milliseconds { text += ".\(padded(thousandths, 3))" }
        return text + "Z"
    }

    /// The Gregorian date of a day counted from 1970-01-01. Years are counted from March, so that the leap day is the
    /// last of its year, in eras of 400 years.
    private static func civil(day: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = day + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
