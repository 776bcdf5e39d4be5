import Foundation
import Testing

@testable import TrunklineHTTP

@Suite("HAR files as values")
struct HARTypesTests {
    @Test("Bytes come back exactly: text, a byte order mark, NUL, bytes that are no text")
    func contents() throws {
        let samples: [Data] = [
            Data(), Data("天 \"\\\n\u{0}".utf8), Data([0xEF, 0xBB, 0xBF, 0x7B]), Data([0xFF, 0xFE]), Data(0...255),
            Data("\u{2028}</script>".utf8),
        ]
        for sample in samples {
            let content = HARContent(sample, mimeType: "x/y")
            let read = try JSONDecoder().decode(HARContent.self, from: JSONEncoder().encode(content))
            #expect(read.data == sample && read == content)
        }
    }

    @Test("A file written and read is the same")
    func roundTrip() throws {
        let entry = HAREntry(
            startedDateTime: HARDate.text(Date(timeIntervalSince1970: 1_764_511_509.123)), time: 1.5,
            request: HARRequest(
                method: "POST", url: "http://h/?a=1", cookies: [HARCookie(name: "c", value: "1", secure: true)],
                headers: [HARField(name: "A", value: "b")], queryString: [HARField(name: "a", value: "1")],
                postData: HARPostData(mimeType: "text/plain", text: "x")),
            response: HARResponse(
                status: 0, error: "lost", failure: HARFailure.lostBeforeResponse.rawValue,
                trailers: [HARField(name: "T", value: "1")]),
            cache: HARCache(beforeRequest: HARCacheEntry(lastAccess: "2026-11-30T00:00:00Z"), comment: "hit"),
            timings: HARTimings(wait: 1.5), fromCache: "disk", requestID: 7, attempt: 2, traceParent: "00-…")
        #expect(entry.startedDateTime == "2025-11-30T14:05:09.123Z")
        let file = HARFile(log: HARLog(entries: [entry, entry], comment: "c"))
        let read = try HARFile(parsing: file.data())
        #expect(read == file)
        #expect(try HARValidation.mistakes(in: file.data()).isEmpty)
        #expect(try HARValidation.mistakes(in: HARFile().data()).isEmpty)
    }

    @Test("Files of other tools: missing and unknown members")
    func tolerant() throws {
        let text = #"""
            {"log":{"version":"1.2","creator":{"name":"B","version":"1"},"browser":{},"pages":[{"id":"p"}],"entries":[
            {"pageref":"p","startedDateTime":"2026-11-30T14:00:00+01:00","time":null,"_initiator":{"type":"x"},
            "request":{"method":"GET","url":"http://h/","headers":[{"name":":authority","value":"h"},{"name":"A","value":"1"}]},
            "response":{"status":200,"content":{"size":2.0,"mimeType":"text/plain","text":"aGk=","encoding":"base64"}},
            "cache":null,"timings":{"wait":3}}]}}
            """#
        let entry = try #require(try HARFile(parsing: Data(text.utf8)).log.entries.first)
        #expect(entry.startedAt == HARDate.parse("2026-11-30T13:00:00Z") && entry.timings.wait == 3)
        #expect(entry.response.content.data == Data("hi".utf8))
        #expect(entry.request.headers.headers.fields.map(\.name) == ["A"])
        #expect(throws: HTTPError.self) { try HARFile(parsing: Data("{}".utf8)) }
    }

    @Test("Timings add up to what was measured")
    func timings() {
        var metrics = TransportMetrics()
        metrics.nameLookup = .milliseconds(2)
        metrics.connect = .milliseconds(5)
        metrics.secureConnect = .milliseconds(10)
        metrics.firstByte = .milliseconds(40)
        metrics.total = .milliseconds(50)
        let timings = HARTimings(metrics, elapsed: .milliseconds(53))
        #expect(timings == HARTimings(blocked: 3, dns: 2, connect: 8, wait: 30, receive: 10, ssl: 5))
        #expect(timings.total == 53)
        #expect(HARTimings(nil, elapsed: .milliseconds(7)) == HARTimings(wait: 7))
    }
}
