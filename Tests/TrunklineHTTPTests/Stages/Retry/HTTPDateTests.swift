import Foundation
import Testing

@testable import TrunklineHTTP

@Suite struct HTTPDateTests {
    /// 1994-11-06T08:49:37Z, the example of RFC 9110, section 5.6.7.
    private let example = Date(timeIntervalSince1970: 784_111_777)
    /// 2015-10-21T07:28:00Z
    private let now = Date(timeIntervalSince1970: 1_445_412_480)

    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        "sun, 06 nov 1994 08:49:37 gmt", "  Sun, 06 Nov 1994 08:49:37 GMT ", "Sun, 6 Nov 1994 08:49:37 GMT",
        "Sunday, 06-Nov-1994 08:49:37 GMT", "Mon, 06 Nov 1994 08:49:37 GMT",
    ])
    func `the three forms are one date`(text: String) {
        #expect(HTTPDate.parse(text, now: now) == example)
    }

    @Test(arguments: [
        "", " ", "Sun", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 06 Nov 94 08:49:37 GMT",
        "Sun, 31 Nov 1994 08:49:37 GMT", "Sun, 29 Feb 2015 08:49:37 GMT", "Sun, 29 Feb 1900 08:49:37 GMT",
        "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 23:60:00 GMT",
        "Sun, 06 Nov 1994 23:59:61 GMT", "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 Nov 1994 08:49:37:1 GMT",
        "Foo, 06 Nov 1994 08:49:37 GMT", "Sun 06 Nov 1994 08:49:37 GMT", "Sun, 06 Foo 1994 08:49:37 GMT",
        "Sunday, 06-Nov-194 08:49:37 GMT", "Sun, 06-Nov-94 08:49:37 GMT", "Sunday, 06-Nov-9x 08:49:37 GMT",
        "Sun, +6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 -8:49:37 GMT", "Sun, 06 Nov 19940 08:49:37 GMT",
        "Sun, \u{666} Nov 1994 08:49:37 GMT", "Sun, 999999999999999999999 Nov 1994 08:49:37 GMT",
        "Sun Nov  6 08:49:37 94", "1994-11-06T08:49:37Z", "784111777", "\u{0}", "Sunday, -- 08:49:37 GMT",
    ])
    func `anything else is no date`(text: String) {
        #expect(HTTPDate.parse(text, now: now) == nil)
    }

    /// A date that seems more than 50 years ahead is of the century before.
    @Test(arguments: [
        ("Wednesday, 21-Oct-15 07:28:30 GMT", "Wed, 21 Oct 2015 07:28:30 GMT"),
        ("Friday, 31-Dec-99 00:00:00 GMT", "Fri, 31 Dec 1999 00:00:00 GMT"),
        ("Wednesday, 21-Oct-65 07:28:00 GMT", "Wed, 21 Oct 2065 07:28:00 GMT"),
        ("Thursday, 21-Oct-65 07:28:01 GMT", "Thu, 21 Oct 1965 07:28:01 GMT"),
        ("Friday, 01-Jan-66 00:00:00 GMT", "Sat, 01 Jan 1966 00:00:00 GMT"),
        ("Friday, 01-Jan-00 00:00:00 GMT", "Sat, 01 Jan 2000 00:00:00 GMT"),
        ("Saturday, 29-Feb-64 00:00:00 GMT", "Fri, 29 Feb 2064 00:00:00 GMT"),
    ])
    func `two digits of a year are the nearest century's`(text: String, date: String) {
        #expect(HTTPDate.parse(text, now: now).map { HTTPDate.format($0) } == date)
    }

    @Test func `at the end of a century the next one is meant`() throws {
        let late = try #require(HTTPDate.parse("Fri, 31 Dec 2099 00:00:00 GMT"))
        let parsed = HTTPDate.parse("Friday, 01-Jan-00 00:00:00 GMT", now: late)
        #expect(parsed.map { HTTPDate.format($0) } == "Fri, 01 Jan 2100 00:00:00 GMT")
    }

    @Test(arguments: [
        (0.0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777.9, "Sun, 06 Nov 1994 08:49:37 GMT"),
        (-0.5, "Wed, 31 Dec 1969 23:59:59 GMT"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
        (-62_167_219_200, "Sat, 01 Jan 0000 00:00:00 GMT"), (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
        (1e300, "Fri, 31 Dec 9999 23:59:59 GMT"), (-Double.infinity, "Sat, 01 Jan 0000 00:00:00 GMT"),
        (Double.nan, "Thu, 01 Jan 1970 00:00:00 GMT"),
    ])
    func `dates are written in the fixed form`(seconds: Double, text: String) {
        #expect(HTTPDate.format(Date(timeIntervalSince1970: seconds)) == text)
    }

    @Test func `a leap second is the next minute's first`() {
        #expect(
            HTTPDate.parse("Sat, 31 Dec 2016 23:59:60 GMT") == HTTPDate.parse("Sun, 01 Jan 2017 00:00:00 GMT"))
    }

    @Test func `what is written is read back, and is Foundation's date`() async {
        await HeavyWork.run {
            let formatter = DateFormatter()
            formatter.locale = Locale(identifier: "en_US_POSIX")
            formatter.timeZone = TimeZone(secondsFromGMT: 0)
            formatter.calendar = Calendar(identifier: .gregorian)
            formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
            var random = SeededRandom(seed: 3)
            for _ in 0..<FuzzRounds.count(full: 20_000) {
                // From 1600 on: Foundation's calendar is Julian before 1582.
                let date = Date(timeIntervalSince1970: Double(random.below(264_000_000_000) - 11_600_000_000))
                guard date.timeIntervalSince1970 < 253_402_300_800 else { continue }
                let text = HTTPDate.format(date)
                #expect(HTTPDate.parse(text) == date)
                #expect(text == formatter.string(from: date))
            }
        }
    }

    @Test func `any text is read without trapping Fuzz`() async {
        await HeavyWork.run {
            var random = SeededRandom(seed: 4)
            let pieces = [
                "Sun", ",", " ", "06", "Nov", "-", "94", "1994", "08:49:37", ":", "GMT", "99", "é", "\u{0}", "Sunday,",
            ]
            for _ in 0..<FuzzRounds.count(full: 100_000) {
                _ = HTTPDate.parse((0..<random.below(12)).map { _ in pieces[random.below(pieces.count)] }.joined())
            }
        }
    }

    /// A26 under the user's language and time zone.
    @Test(arguments: [
        ["LC_ALL=fa_IR", "TZ=Asia/Tehran"], ["LC_ALL=fa_IR.UTF-8", "LANG=fa_IR.UTF-8", "TZ=Asia/Tehran"],
        ["LC_ALL=ar_SA", "TZ=America/New_York"],
    ])
    func `no locale and no time zone changes a date`(environment: [String]) async throws {
        try await HeavyWork.run {
            let tool = try #require(ChildProcess.tool("ResourceProbe"), "the ResourceProbe program was not built")
            let lines = try ChildProcess.lines(
                URL(fileURLWithPath: "/usr/bin/env"), environment + [tool.path, "dates"])
            #expect(
                lines == [
                    "Retry-After 30.0 30.0 30.0 30.0 30.0 nil nil nil nil nil nil 3600.0 4294967296.0",
                    "Date Sun, 06 Nov 1994 08:49:37 GMT",
                ])
        }
    }
}
