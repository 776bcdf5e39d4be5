import Foundation
import TrunklineHTTP

/// Dates as this process's environment has them read and written: no locale and no time zone may change them.
enum DateMeasurement {
    static func run() {
        // 2015-10-21T07:28:00Z
        let now = Date(timeIntervalSince1970: 1_445_412_480)
        let values = [
            "30", " 30 ", "Wed, 21 Oct 2015 07:28:30 GMT", "Wednesday, 21-Oct-15 07:28:30 GMT",
            "Wed Oct 21 07:28:30 2015", "Wed, 21 Oct 2015 07:27:00 GMT", "-5", "1.5", "soon", "", "\u{6F3}\u{6F0}",
            "3600", "99999999999999999999",
        ]
        let waits = values.map { RetryAfter.parse($0, now: now).map { "\($0.seconds)" } ?? "nil" }
        print("Retry-After", waits.joined(separator: " "))
        print("Date", HTTPDate.format(Date(timeIntervalSince1970: 784_111_777)))
    }
}
