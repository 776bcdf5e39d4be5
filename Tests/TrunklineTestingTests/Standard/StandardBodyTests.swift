import Foundation
import Testing
import TrunklineTesting

@Suite("Loopback server: ready-made routes for bodies")
struct StandardBodyTests {
    private let standard: StandardServer

    init() throws { standard = try StandardServer() }

    @Test("Bodies are of the size and content asked for")
    func bodies() async throws {
        #expect(try await standard.send(.get, "/bytes/1000?seed=5").data == LoopbackPattern(seed: 5).bytes(count: 1000))
        #expect(
            try await standard.send(.get, "/stream-bytes/1000?chunk_size=7").data
                == LoopbackPattern().bytes(count: 1000))
        let lines = try await standard.send(.get, "/stream/3").data.split(separator: UInt8(ascii: "\n"))
        #expect(try lines.map { try JSONValue(parsing: Data($0))["id"]?.int } == [0, 1, 2])
        #expect(try await standard.send(.get, "/base64/SGVsbG8=").data == Data("Hello".utf8))
        #expect(try await standard.send(.get, "/base64/!").statusCode == 400)
        for bad in ["/bytes/-1", "/bytes/x", "/bytes/99999999999999999999", "/stream/-2", "/range/y", "/delay/99"] {
            #expect(try await standard.send(.get, bad).statusCode == 400, "\(bad)")
        }
        for path in [
            "/json", "/html", "/xml", "/robots.txt", "/encoding/utf8", "/uuid", "/ip", "/headers", "/user-agent",
        ] {
            let response = try await standard.send(.get, path)
            #expect(response.statusCode == 200 && !response.data.isEmpty, "\(path)")
        }
        let gzip = try await standard.send(.get, "/gzip?a=1")
        #expect(try standard.json(gzip)["args"] == ["a": "1"])
        #expect(gzip.headers["Content-Encoding"] == "gzip")
        let upload = try await standard.send(.put, "/upload", body: .data(Data("abc".utf8)))
        #expect(
            try standard.json(upload) == [
                "bytes": 3, "sha256": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
            ])
    }

    /// A `Range` field, the status, the part and its `Content-Range`, of ten bytes.
    static let rangeRows: [(field: String, status: Int, part: Range<Int>, contentRange: String?)] = [
        ("bytes=2-4", 206, 2..<5, "bytes 2-4/10"), ("bytes=8-", 206, 8..<10, "bytes 8-9/10"),
        ("bytes=-3", 206, 7..<10, "bytes 7-9/10"), ("bytes=-99", 206, 0..<10, "bytes 0-9/10"),
        ("bytes=0-99", 206, 0..<10, "bytes 0-9/10"), ("bytes=10-", 416, 0..<0, "bytes */10"),
        ("bytes=-0", 416, 0..<0, "bytes */10"), ("bytes=4-2", 200, 0..<10, nil),
        ("bytes=0-1,3-4", 200, 0..<10, nil), ("lines=0-1", 200, 0..<10, nil), ("bytes=x-", 200, 0..<10, nil),
        ("bytes=0-9223372036854775807", 206, 0..<10, "bytes 0-9/10"),
    ]

    @Test("Ranges are answered as RFC 9110 says", arguments: rangeRows)
    func ranges(_ row: (field: String, status: Int, part: Range<Int>, contentRange: String?)) async throws {
        let whole = LoopbackPattern().bytes(count: 10)
        let response = try await standard.send(.get, "/range/10", headers: ["Range": row.field])
        #expect(response.statusCode == row.status)
        #expect(response.headers["Content-Range"] == row.contentRange)
        if row.status != 416 { #expect(response.data == whole[row.part]) }
        let stale = try await standard.send(.get, "/range/10", headers: ["Range": row.field, "If-Range": "\"other\""])
        #expect(stale.statusCode == 200 && stale.data == whole)
    }

    @Test("Caching: tags, 304, 412, ages, fields of choice")
    func caching() async throws {
        #expect(try await standard.send(.get, "/etag/abc").headers["ETag"] == "\"abc\"")
        for (field, status) in [("\"abc\"", 304), ("*", 304), ("\"x\", W/\"abc\"", 304), ("\"x,abc\"", 200)] {
            #expect(
                try await standard.send(.get, "/etag/abc", headers: ["If-None-Match": field]).statusCode == status,
                "\(field)")
        }
        #expect(try await standard.send(.get, "/etag/abc", headers: ["If-Match": "\"x\""]).statusCode == 412)
        #expect(try await standard.send(.get, "/cache").headers.contains("Last-Modified"))
        #expect(try await standard.send(.get, "/cache", headers: ["If-Modified-Since": "x"]).statusCode == 304)
        #expect(try await standard.send(.get, "/cache/60").headers["Cache-Control"] == "public, max-age=60")
        let fields = try await standard.send(.get, "/response-headers?X-A=1&X-A=2")
        #expect(fields.headers.values(for: "X-A") == ["1", "2"])
        #expect(try await standard.send(.get, "/response-headers?X-A=1%0D%0AX-B:2").statusCode == 400)
    }

    @Test("An event stream is heard, and goes on after the last event")
    func events() async throws {
        let response = try await standard.send(.get, "/events/4", headers: ["Last-Event-ID": "2"])
        #expect(response.headers["Content-Type"] == "text/event-stream")
        #expect(String(decoding: response.data, as: UTF8.self) == "id: 3\ndata: event 3\n\nid: 4\ndata: event 4\n\n")
        for id in ["-9223372036854775808", "9223372036854775807", "x"] {
            #expect(try await standard.send(.get, "/events/1", headers: ["Last-Event-ID": id]).statusCode == 200)
        }
    }
}
