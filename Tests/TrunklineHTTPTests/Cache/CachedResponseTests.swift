import Foundation
import Testing

@testable import TrunklineHTTP

@Suite("CachedResponse")
struct CachedResponseTests {
    private let stored = Date(timeIntervalSince1970: 1_700_000_000)

    @Test(
        "Age and freshness by the wall clock",
        arguments: [
            // seconds from storing to now, expected age, fresh within 10 s
            (0.0, 0.0, true), (9.5, 9.5, true), (10.0, 10.0, false), (1e6, 1e6, false),
            (-1.0, 0.0, true), (-60.0, 0.0, true), (-61.0, 0.0, false), (-1e9, 0.0, false),
        ])
    func age(elapsed: Double, expected: Double, isFresh: Bool) throws {
        let entry = cacheEntry(at: stored)
        let now = stored.addingTimeInterval(elapsed)
        #expect(entry.age(at: now) == .seconds(expected))
        #expect(entry.isFresh(maxAge: .seconds(10), at: now) == isFresh)
    }

    @Test("No date, however absurd, traps")
    func absurdDates() throws {
        let times = [0, 1e300, -1e300, .infinity, -.infinity, .nan, .greatestFiniteMagnitude].map {
            Date(timeIntervalSinceReferenceDate: $0)
        }
        for time in times {
            let entry = cacheEntry(at: time)
            for now in times {
                #expect(entry.age(at: now) >= .zero)
                _ = entry.isFresh(maxAge: .seconds(10), at: now)
                _ = entry.isFresh(maxAge: .seconds(Int64.max), at: now)
            }
        }
    }

    @Test("A maximum age of zero or less is never fresh")
    func zeroAge() throws {
        let entry = cacheEntry(at: stored)
        #expect(!entry.isFresh(maxAge: .zero, at: stored))
        #expect(!entry.isFresh(maxAge: .seconds(-1), at: stored))
    }

    @Test("The answer carries source, age, status, lines and bytes")
    func conversion() async throws {
        let entry = CachedResponse(
            statusCode: 203, headers: ["A": "1", "a": "2"], body: .data(Data([0, 255])),
            requestURL: try cacheURL("http://h/1"),
            url: try cacheURL("http://h/2"), storedAt: stored)
        let request = try cacheRequest("http://h/1", headers: ["X": "y"])
        let response = try await entry.response(to: request, now: stored.addingTimeInterval(3))
        #expect(response.source == .cache(age: .seconds(3)))
        #expect(response.statusCode == 203)
        #expect(response.headers.values(for: "a") == ["1", "2"])
        #expect(response.data == Data([0, 255]))
        #expect(response.url.absoluteString == "http://h/2")
        #expect(response.request.headers["X"] == "y")
    }
}
