import Foundation
import Testing

@testable import TrunklineHTTP

@Suite("Freshness")
struct FreshnessTests {
    private static let now = Date(timeIntervalSince1970: 1_700_000_000)

    private static func date(_ offset: Double) -> String { HTTPDate.format(now.addingTimeInterval(offset)) }

    private func freshness(_ headers: HTTPHeaders, status: Int = 200, delay: Double = 0) -> Freshness {
        Freshness(
            status: status, headers: headers, requestedAt: Self.now.addingTimeInterval(-delay), arrivedAt: Self.now)
    }

    @Test(
        "Lifetime: max-age, then Expires minus Date, then a tenth of the time since the last change",
        arguments: [
            (["Cache-Control": "max-age=60", "Expires": date(-500)], 60),
            (["Expires": date(300), "Date": date(0)], 300), (["Expires": date(300)], 300),
            (["Expires": date(300), "Date": date(100)], 200), (["Expires": date(300), "Date": date(400)], 0),
            (["Expires": date(300), "Date": "foo"], 300), (["Expires": "0"], 0), (["Expires": ""], 0),
            (["Expires": date(300), "expires": date(400)], 0), (["Expires": date(300), "expires": date(300)], 300),
            (["Last-Modified": date(-1000), "Date": date(0)], 100), (["Last-Modified": date(-1000)], 100),
            (["Last-Modified": date(1000)], 0), (["Last-Modified": "yesterday"], 0),
            (["Last-Modified": date(-1e9), "Date": date(0)], 86_400),
            (["Expires": "x", "Last-Modified": date(-1000)], 0), (["Cache-Control": "s-maxage=60"], 0), ([:], 0),
        ] as [(HTTPHeaders, Double)])
    func lifetime(headers: HTTPHeaders, expected: Double) {
        #expect(freshness(headers).lifetime == expected)
    }

    @Test("Only statuses that may be guessed about are, or those called public")
    func heuristicStatuses() {
        let headers: HTTPHeaders = ["Last-Modified": Self.date(-1000)]
        let guessed = (100...599).filter { freshness(headers, status: $0).isHeuristic }
        #expect(guessed == [200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501])
        #expect(freshness(headers.merging(["Cache-Control": "public"]), status: 599).lifetime == 100)
    }

    @Test(
        "Age: the first member of the first line, digits only",
        arguments: [
            (["Age": "30"], 30), (["Age": "7200, 0"], 7200), (["Age": "0, 7200"], 0), (["Age": "5", "age": "9"], 5),
            (["Age": "-3"], 0), (["Age": "1.5"], 0), (["Age": "abc"], 0), (["Age": "7;foo=bar"], 7), (["Age": ""], 0),
            (["Age": "2147483649"], 2_147_483_648), ([:], 0),
        ] as [(HTTPHeaders, Double)])
    func age(headers: HTTPHeaders, expected: Double) {
        #expect(Freshness.age(headers) == expected)
    }

    @Test("The age at the start: what Age says and the way took, or what Date says, whichever is more")
    func initialAge() {
        #expect(freshness(["Age": "10"], delay: 4).initialAge == 14)
        #expect(freshness(["Date": Self.date(-30)], delay: 4).initialAge == 30)
        #expect(freshness(["Date": Self.date(-30), "Age": "100"]).initialAge == 100)
        #expect(freshness(["Date": Self.date(500)]).initialAge == 0)
        #expect(freshness([:], delay: -50).initialAge == 0)
    }

    @Test("The age goes on by the wall clock; a clock that was set back makes it unknown")
    func currentAge() {
        let freshness = freshness(["Age": "10", "Cache-Control": "max-age=100"])
        #expect(freshness.age(at: Self.now.addingTimeInterval(20)) == 30)
        #expect(freshness.remaining(at: Self.now.addingTimeInterval(20)) == 70)
        #expect(freshness.age(at: Self.now.addingTimeInterval(-60)) == 10)
        #expect(freshness.remaining(at: Self.now.addingTimeInterval(-61)) < 0)
    }

    @Test("No date, however absurd, traps")
    func absurd() {
        let times = [0, 1e300, -1e300, .infinity, -.infinity, .nan].map { Date(timeIntervalSinceReferenceDate: $0) }
        for first in times {
            for second in times {
                let made = Freshness(
                    status: 200, headers: ["Date": Self.date(0), "Last-Modified": Self.date(-9)], requestedAt: first,
                    arrivedAt: second)
                for third in times { _ = (made.age(at: third), made.remaining(at: third)) }
            }
        }
    }
}

@Suite("StrictDate")
struct StrictDateTests {
    private let now = Date(timeIntervalSince1970: 1_700_000_000)

    @Test(
        "The three forms, names in any case",
        arguments: [
            "Thu, 18 Aug 2050 02:01:18 GMT", "THU, 18 aUG 2050 02:01:18 gMT", "Thursday, 18-Aug-50 02:01:18 GMT",
            "Thu Aug 18 02:01:18 2050",
        ])
    func valid(text: String) {
        #expect(StrictDate.parse(text, now: now) == Date(timeIntervalSince1970: 2_544_400_878))
    }

    @Test(
        "What is nearly a date is none",
        arguments: [
            "", "0", "foo", "Thu, 18 Aug 2050 02:01:18 UTC", "Thu, 18 Aug 2050 02:01:18 AEST",
            "Thu, 18 Aug 50 02:01:18 GMT", "Thu 18 Aug 2050 02:01:18 GMT", "Thu, 18  Aug  2050 02:01:18 GMT",
            "Thu, 18-Aug-2050 02:01:18 GMT", "Thu, 18 Aug 2050 02.01.18 GMT", "Thu, 18 Aug 2050 2:01:18 GMT",
            "Thu, 18 Aug 2050 02:01 GMT", "Thu, 18 Aug 2050 02:01:18 GMT, x", "Thu, 38 Aug 2050 02:01:18 GMT",
            " Thu, 18 Aug 2050 02:01:18 GMT", "Th\u{FC}, 18 Aug 2050 02:01:18 GMT",
        ])
    func invalid(text: String) {
        #expect(StrictDate.parse(text, now: now) == nil)
    }
}
