import Foundation

/// Days of the proleptic Gregorian calendar in UTC, counted from 1970-01-01. Plain arithmetic: exact, and the same in
/// every locale.
enum CivilDate {
    /// The number of the day, or nil when there is no such day.
    ///
    /// - Parameters:
    ///   - year: 0 to 9999.
    ///   - month: 1 to 12.
    ///   - day: 1 to the month's last.
    static func day(year: Int, month: Int, day: Int) -> Int64? {
        guard (0...9999).contains(year), (1...12).contains(month), day >= 1, day <= days(in: month, of: year) else {
            return nil
        }
        // The year begins in March, so that the leap day is its last.
        let shifted = Int64(month <= 2 ? year - 1 : year)
        let era = shifted.floorDivided(by: 400)
        let yearOfEra = shifted - era * 400
        let dayOfYear = Int64((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1)
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// The date of the day with this number; of any number a date from the year 0 to 9999 gives.
    static func date(ofDay number: Int64) -> (year: Int, month: Int, day: Int) {
        let shifted = number + 719_468
        let era = shifted.floorDivided(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let march = (5 * dayOfYear + 2) / 153
        let month = Int(march < 10 ? march + 3 : march - 9)
        let year = Int(yearOfEra + era * 400) + (month <= 2 ? 1 : 0)
        return (year, month, Int(dayOfYear - (153 * march + 2) / 5 + 1))
    }

    /// The year of the moment, held within 0 to 9999.
    static func year(of moment: Date) -> Int {
        let seconds = moment.timeIntervalSince1970
        guard seconds >= -62_167_219_200 else { return 0 }
        guard seconds < 253_402_300_800 else { return 9999 }
        return date(ofDay: Int64(seconds.rounded(.down)).floorDivided(by: 86_400)).year
    }

    /// The same date and time of day in another year; 29 February becomes 28 where that year has none.
    static func sameTime(as moment: Date, inYear year: Int) -> Date? {
        let seconds = moment.timeIntervalSince1970
        guard seconds >= -62_167_219_200, seconds < 253_402_300_800 else { return nil }
        let number = Int64(seconds.rounded(.down)).floorDivided(by: 86_400)
        let (_, month, day) = date(ofDay: number)
        guard (0...9999).contains(year),
            let other = self.day(year: year, month: month, day: min(day, days(in: month, of: year)))
        else { return nil }
        return moment.addingTimeInterval(Double(other - number) * 86_400)
    }

    private static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

extension Int64 {
    /// The quotient rounded down, also for negative numbers. The divisor must be positive.
    func floorDivided(by divisor: Int64) -> Int64 {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }
}
