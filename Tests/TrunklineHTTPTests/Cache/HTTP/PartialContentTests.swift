import Foundation
import Testing

@testable import TrunklineHTTP

@Suite("PartialContent")
struct PartialContentTests {
    private func part(
        _ body: String, _ range: String, etag: String = "\"a\"", status: Int = 206, asked: String? = nil
    ) -> CachedResponse {
        var entry = cacheEntry(body, status: status, headers: ["ETag": etag, "Content-Range": range])
        if let asked { entry.requestHeaders.set("Range", asked) }
        return entry
    }

    private func form(_ entry: CachedResponse, _ range: String) throws -> CacheAnswer.Form? {
        PartialContent.form(of: entry, for: try #require(RequestedRange(range)), field: range)
    }

    @Test("A part answers ranges within it, in offsets of the whole")
    func within() throws {
        let entry = part("456789", "bytes 4-9/10")
        #expect(try form(entry, "bytes=6-8") == .part(2..<5, first: 6, total: 10))
        #expect(try form(entry, "bytes=6-") == .part(2..<6, first: 6, total: 10))
        #expect(try form(entry, "bytes=6-99") == .part(2..<6, first: 6, total: 10))
        #expect(try form(entry, "bytes=-3") == .part(3..<6, first: 7, total: 10))
        for range in ["bytes=3-5", "bytes=0-", "bytes=-7", "bytes=10-"] { #expect(try form(entry, range) == nil) }
        let middle = part("456", "bytes 4-6/10")
        #expect(try form(middle, "bytes=5-") == nil && form(middle, "bytes=-1") == nil)
        #expect(try form(part("456", "bytes 4-6/*"), "bytes=5-6") == .part(1..<3, first: 5, total: nil))
    }

    @Test("The same question gets the same part; a content shorter than it says gives what is there")
    func odd() throws {
        let entry = part("01234", "bytes 4-9/10", asked: "bytes=-5")
        #expect(try form(entry, "bytes=-5") == .whole)
        #expect(try form(entry, "bytes=6-8") == .part(2..<5, first: 6, total: 10))
        #expect(try form(entry, "bytes=6-9") == nil)
        #expect(try form(part("", "bytes 4-9/10"), "bytes=4-5") == nil)
        let huge = "bytes 9223372036854775800-9223372036854775805/*"
        #expect(try form(part("0123456789", huge), "bytes=9223372036854775801-9223372036854775802") != nil)
    }

    @Test("A coded content has other offsets than the decoded one")
    func coded() throws {
        var entry = cacheEntry("body", headers: ["Content-Encoding": "gzip"])
        #expect(try form(entry, "bytes=0-1") == nil)
        entry.headers["Content-Encoding"] = "identity"
        #expect(try form(entry, "bytes=0-1") == .part(0..<2, first: 0, total: 4))
    }

    @Test("Parts with the same strong validator and no gap become one, and a whole that is complete a 200")
    func combination() throws {
        let first = part("0123", "bytes 0-3/10")
        func combined(_ range: String, _ body: String, etag: String = "\"a\"") -> CachedResponse? {
            PartialContent.combined(first, with: ["ETag": etag, "Content-Range": range, "A": "1"], Data(body.utf8))
        }
        let more = try #require(combined("bytes 4-6/10", "456"))
        #expect(more.statusCode == 206 && more.body.data == Data("0123456".utf8))
        #expect(more.headers["Content-Range"] == "bytes 0-6/10" && more.headers["A"] == "1")
        let whole = try #require(combined("bytes 2-9/10", "23456789"))
        #expect(whole.statusCode == 200 && whole.body.data == Data("0123456789".utf8))
        #expect(!whole.headers.contains("Content-Range") && whole.headers["Content-Length"] == "10")
        for (range, body, etag) in [
            ("bytes 5-9/10", "56789", "\"a\""), ("bytes 4-9/10", "456789", "\"b\""),
            ("bytes 4-9/10", "456789", "W/\"a\""),
            ("bytes 4-9/11", "456789", "\"a\""), ("bytes 4-9/10", "4567", "\"a\""), ("bytes 0-2/10", "012", "\"a\""),
            ("items 4-9/10", "456789", "\"a\""),
        ] {
            #expect(combined(range, body, etag: etag) == nil, "\(range) \(body) \(etag)")
        }
    }

    @Test("What is missing is known of a beginning only")
    func missing() {
        #expect(PartialContent.missing(from: part("0123", "bytes 0-3/10")) == 4)
        #expect(PartialContent.missing(from: part("123", "bytes 1-3/10")) == nil)
        #expect(PartialContent.missing(from: part("0123", "bytes 0-3/*")) == nil)
        #expect(PartialContent.missing(from: part("01", "bytes 0-3/10")) == nil)
    }

    @Test("An answer that was cut short is a part where its head allows it")
    func cut() throws {
        let whole = cacheEntry("", headers: ["ETag": "\"a\"", "Content-Length": "10"])
        let head = try #require(PartialContent.head(of: whole, cutAfter: 4))
        #expect(head.statusCode == 206 && head.headers["Content-Range"] == "bytes 0-3/10")
        #expect(
            PartialContent.head(of: whole, cutAfter: 10) == nil && PartialContent.head(of: whole, cutAfter: 0) == nil)
        for headers: HTTPHeaders in [
            ["ETag": "\"a\""], ["ETag": "W/\"a\"", "Content-Length": "10"], ["Content-Length": "10"],
            ["ETag": "\"a\"", "Content-Length": "10", "Content-Encoding": "br"],
        ] {
            #expect(PartialContent.head(of: cacheEntry("", headers: headers), cutAfter: 4) == nil)
        }
    }
}
