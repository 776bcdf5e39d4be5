import Foundation
import Testing

@testable import TrunklineHTTP

@Suite("CacheControl")
struct CacheControlTests {
    @Test(
        "max-age: digits, quoted or not; what is none makes the answer stale, and the first counts",
        arguments: [
            ("max-age=3600", 3600), ("MAX-AGE=5", 5), ("max-age=\"60\"", 60), ("max-age=003600", 3600),
            ("max-age=2147483649", 2_147_483_648), ("max-age=99999999999999999999999", 2_147_483_648),
            ("max-age=-1", 0), ("max-age=1.5", 0), ("max-age=36a", 0), ("max-age", 0), ("max-age=", 0),
            ("max-age =5", 0), ("max-age= 5", 0), ("max-age=\"5", 0), ("max-age=5 6", 0), ("max-age=1, max-age=2", 1),
            ("a, max-age=7 ,b", 7), (",,  max-age=7", 7), ("x=\"max-age=1\", max-age=9", 9),
            ("x=\"a\\\"b, max-age=1\", max-age=9", 9), ("@@;, max-age=4", 4), ("max-age='5'", 0),
        ] as [(String, Int)])
    func maxAge(text: String, expected: Int) {
        #expect(CacheControl(parsing: text).maxAge == expected)
    }

    @Test(
        "No max-age",
        arguments: ["", "s-maxage=5", "x-max-age=5", "max-age5", "extension=\"max-age=5\"", "\"max-age=5\"", "=5"])
    func none(text: String) {
        #expect(CacheControl(parsing: text).maxAge == nil)
    }

    @Test("Directives without values, in any case and place, of several lines")
    func flags() {
        let control = CacheControl([
            "cache-control": "nO-StOrE,no-cache", "Cache-Control": " must-revalidate , public;, private=\"a\"",
            "CACHE-CONTROL": "immutable,must-understand,only-if-cached,frobnicate=\"no\"",
        ])
        #expect(control.noStore && control.noCache && control.mustRevalidate && control.isPrivate)
        #expect(control.immutable && control.mustUnderstand && control.onlyIfCached && control.isPublic)
        #expect(CacheControl(["Expires": "no-store"]) == CacheControl())
    }

    @Test("no-cache with names holds for the fields, without for the answer; both is the stronger")
    func noCache() {
        let named = CacheControl(parsing: "no-cache=\"Set-Cookie, b\", max-age=5")
        #expect(!named.noCache && named.noCacheFields == ["set-cookie", "b"] && named.maxAge == 5)
        #expect(CacheControl(parsing: "no-cache=a").noCacheFields == ["a"])
        for text in ["no-cache", "no-cache=\"\"", "no-cache=\" , \"", "no-cache=\"a", "no-cache=\"a\", no-cache"] {
            #expect(CacheControl(parsing: text).noCache, "\(text)")
        }
    }

    @Test("The requests' own and the windows for stale answers")
    func others() {
        #expect(CacheControl(parsing: "max-stale").maxStale == .max)
        #expect(CacheControl(parsing: "max-stale=5").maxStale == 5)
        #expect(CacheControl(parsing: "max-stale=x").maxStale == nil)
        #expect(CacheControl(parsing: "min-fresh=7").minFresh == 7)
        let windows = CacheControl(parsing: "stale-while-revalidate=30, stale-if-error=60")
        #expect(windows.staleWhileRevalidate == 30 && windows.staleIfError == 60)
        #expect(CacheControl(parsing: "stale-if-error=-1, stale-while-revalidate").staleIfError == nil)
    }
}
