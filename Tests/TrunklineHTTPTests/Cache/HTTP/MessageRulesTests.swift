import Foundation
import Testing

@testable import TrunklineHTTP

@Suite("EntityTag")
struct EntityTagTests {
    @Test("Strong and weak, and what is none")
    func parsing() throws {
        #expect(try #require(EntityTag("\"a\"")).isWeak == false)
        #expect(try #require(EntityTag("W/\"a,b\"")).isWeak)
        #expect(try #require(EntityTag("\"\"")).opaque.isEmpty)
        for text in ["", "a", "\"a", "w/\"a\"", "W\"a\"", "\"a\"b\"", "\"a b\"", "\"", "W/"] {
            #expect(EntityTag(text) == nil, "\(text)")
        }
        #expect(EntityTag(of: ["ETag": "\"a\"", "etag": "\"a\""]) == nil)
    }

    @Test("Weak comparison passes over the mark, strong comparison refuses it")
    func comparison() throws {
        let (strong, weak) = (try #require(EntityTag("\"a\"")), try #require(EntityTag("W/\"a\"")))
        #expect(strong.means(weak) && !strong.equals(weak) && strong.equals(strong) && !weak.equals(weak))
        #expect(EntityTag.list("\"a\", W/\"b,c\" ,x, \"d\"").map(\.opaque) == ["a", "b,c", "d"])
    }
}

@Suite("RequestedRange")
struct RequestedRangeTests {
    @Test("One range of bytes, in its three forms")
    func parsing() {
        #expect(RequestedRange("bytes=0-4") == .closed(first: 0, last: 4))
        #expect(RequestedRange("Bytes=5-") == .from(5))
        #expect(RequestedRange("bytes=-3") == .suffix(3))
        for text in [
            "", "bytes", "bytes=", "bytes=-", "bytes=4-2", "bytes=a-b", "items=0-1", "bytes=0-1,3-4", "bytes=-0",
            "bytes=--5", "bytes=1-2-3", "bytes= 1 - 2",
        ] {
            #expect(RequestedRange(text) == nil, "\(text)")
        }
    }

    @Test("Offsets in a content, and none beyond it")
    func resolution() {
        #expect(RequestedRange.closed(first: 0, last: 4).resolved(total: 3) == 0..<3)
        #expect(RequestedRange.closed(first: 3, last: 4).resolved(total: 3) == nil)
        #expect(RequestedRange.from(2).resolved(total: 3) == 2..<3)
        #expect(RequestedRange.suffix(9).resolved(total: 3) == 0..<3)
        #expect(RequestedRange.suffix(1).resolved(total: 0) == nil)
        let huge = "bytes=99999999999999999999-999999999999999999999"
        #expect(RequestedRange(huge)?.resolved(total: 10) == nil)
        #expect(RequestedRange("bytes=0-99999999999999999999")?.resolved(total: .max) == 0..<(.max))
    }
}

@Suite("SelectedFields")
struct SelectedFieldsTests {
    private func same(_ name: String, _ first: String, _ second: String) -> Bool {
        let names = [name.lowercased()]
        return SelectedFields.of([name: first], names: names) == SelectedFields.of([name: second], names: names)
    }

    @Test("White space and lines are no difference, anything else is")
    func normalisation() {
        #expect(same("Foo", "1, 2", "1,2") && same("Foo", " 1 ,2 ", "1,2"))
        #expect(
            SelectedFields.of(["Foo": "1", "foo": "2"], names: ["foo"])
                == SelectedFields.of(["FOO": "1,2"], names: ["foo"]))
        #expect(!same("Foo", "1,2", "2,1") && !same("Foo", "a", "A") && !same("Foo", "a b", "ab"))
        #expect(!same("Foo", "\"a, b\"", "\"a,b\""))
        #expect(SelectedFields.of(["Foo": ""], names: ["foo"]) != SelectedFields.of([:], names: ["foo"]))
    }

    @Test("Lists in which order has no meaning are compared without it")
    func languages() {
        #expect(same("Accept-Language", "en, de", "DE,en") && same("Accept", "a/b;q=0.5, c/d", "c/d,a/b; q=0.5"))
        #expect(!same("Accept-Language", "en, de", "en") && !same("Accept-Encoding", "gzip;q=1", "gzip;q=0"))
    }

    @Test("Credentials are there as a digest only")
    func secrets() {
        for name in ["cookie", "authorization"] {
            let selected = SelectedFields.of([name: "secret"], names: [name])
            #expect(selected.count == 1 && !selected.contains { $0.value.contains("secret") })
        }
    }

    @Test(
        "The one language wanted most",
        arguments: [
            ("de", "de"), ("fr;q=0.5, de;q=1.0", "de"), ("de-AT, de;q=0.9", "de-at"), ("en, de", nil), ("*", nil),
            ("de;q=0", nil), ("", nil), ("de;q=x, en", nil), ("de;q=0.001, en;q=0.002", "en"), ("de;q=1.5", nil),
            ("de;q=0.5;x=1", nil), ("de;q=0.12345", nil),
        ] as [(String, String?)])
    func preferred(value: String, expected: String?) {
        #expect(SelectedFields.preferredLanguage(["Accept-Language": value]) == expected)
    }
}

@Suite("StoredFields")
struct StoredFieldsTests {
    @Test("Stored is all but what is about the connection, and what Connection and no-cache name")
    func storable() {
        let stored = StoredFields.storable([
            "A": "1", "Connection": "close, B", "b": "2", "Keep-Alive": "5", "Proxy-Authenticate": "x", "TE": "x",
            "Transfer-Encoding": "chunked", "Upgrade": "h2c", "Cache-Control": "no-cache=\"Secret\", max-age=5",
            "secret": "3", "Set-Cookie": "a=b", "A": "4",
        ])
        #expect(stored == ["A": "1", "Cache-Control": "no-cache=\"Secret\", max-age=5", "Set-Cookie": "a=b", "A": "4"])
    }

    @Test("A 304 replaces the fields it has, all lines of them, but not the length")
    func update() {
        let updated = StoredFields.updated(
            ["ETag": "\"a\"", "A": "1", "A": "2", "Content-Length": "36", "Age": "50", "B": "1"],
            by: ["A": "3", "content-length": "0", "Connection": "x", "C": "1", "C": "2"], isPartial: false)
        #expect(updated == ["ETag": "\"a\"", "A": "3", "Content-Length": "36", "B": "1", "C": "1", "C": "2"])
        let part = StoredFields.updated(
            ["Content-Range": "bytes 0-1/9"], by: ["Content-Range": "bytes 2-8/9"], isPartial: true)
        #expect(part == ["Content-Range": "bytes 0-1/9"])
    }
}

@Suite("Invalidation")
struct InvalidationTests {
    private func urls(_ method: HTTPMethod, _ status: Int, _ headers: HTTPHeaders = [:]) throws -> [String] {
        let request = try cacheRequest("https://h/a/b?c", method)
        let response = HTTPResponse(request: request, statusCode: status, headers: headers)
        return Invalidation.urls(after: response, to: request).map(\.absoluteString)
    }

    @Test("After a success of an unsafe method, known or not; never after a failure or a safe one")
    func methods() throws {
        for method: HTTPMethod in [.post, .put, .patch, .delete, "M-SEARCH", "PURGE"] {
            #expect(try urls(method, 204) == ["https://h/a/b?c"] && urls(method, 303).count == 1)
            #expect(try urls(method, 404).isEmpty && urls(method, 500).isEmpty)
        }
        for method: HTTPMethod in [.get, .head, .options, .query] { #expect(try urls(method, 200).isEmpty) }
    }

    @Test("What the locations name goes too, of the same origin only")
    func locations() throws {
        let same: HTTPHeaders = ["Location": "../x", "Content-Location": "https://H:443/y"]
        #expect(try urls(.post, 201, same) == ["https://h/a/b?c", "https://h/x", "https://H:443/y"])
        for other in ["https://other/x", "http://h/x", "https://h:8443/x", "//other/x", "mailto:x"] {
            #expect(try urls(.post, 201, ["Location": other]).count == 1, "\(other)")
        }
    }

    @Test("The answer to a POST is what GET would give only where it says so")
    func representation() throws {
        let url = try cacheURL("https://h/a")
        func isRepresentation(_ headers: HTTPHeaders, status: Int = 200) throws -> Bool {
            let response = HTTPResponse(
                request: try cacheRequest("https://h/a", .post), statusCode: status, headers: headers)
            return Invalidation.isRepresentation(response, of: url, now: Date())
        }
        #expect(try isRepresentation(["Content-Location": "/a", "Cache-Control": "max-age=5"]))
        #expect(try !isRepresentation(["Content-Location": "/a"]))
        #expect(try !isRepresentation(["Content-Location": "/b", "Cache-Control": "max-age=5"]))
        #expect(try !isRepresentation(["Cache-Control": "max-age=5"]))
        #expect(try !isRepresentation(["Content-Location": "/a", "Cache-Control": "max-age=5"], status: 201))
    }
}

@Suite("CacheStatus")
struct CacheStatusTests {
    @Test("The member of the field (RFC 9211)")
    func description() {
        #expect(CacheStatus(isHit: true, timeToLive: 57).description == "Trunkline; hit; ttl=57")
        #expect(
            CacheStatus(
                forward: .uriMiss, forwardStatus: 304, timeToLive: -1, isStored: true, isCollapsed: true,
                detail: "a \"b\""
            ).description
                == "Trunkline; fwd=uri-miss; fwd-status=304; ttl=-1; stored; collapsed; detail=\"a \\\"b\\\"\"")
    }
}
