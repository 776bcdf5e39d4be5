import Foundation
import Testing
import TrunklineTesting

@testable import TrunklineHTTP

@Suite("Cassettes recorded from nginx", .enabled(if: NginxFixture.isWanted))
struct NginxCassetteTests {
    @Test("HTTP/2 over TLS, compressed and plain, ranges and refusals are replayed byte by byte")
    func byteExact() async throws {
        let nginx = try await NginxFixture.start()
        let file = try ScratchFile()
        let requests = [
            HTTPRequest(url: try nginx.url(.valid, "/text.txt")),
            HTTPRequest(url: try nginx.url(.valid, "/text.txt"), headers: ["Accept-Encoding": "gzip"]),
            HTTPRequest(url: try nginx.url(.http1, "/hello")),
            HTTPRequest(url: try nginx.url(.plain, "/text.txt"), headers: ["Range": "bytes=5-20"]),
            HTTPRequest(url: try nginx.url(.plain, "/none")),
            HTTPRequest(method: .post, url: try nginx.url(.valid, "/upload"), body: .text("abc")),
            HTTPRequest(method: .head, url: try nginx.url(.plain, "/text.txt")),
        ]
        let recorder = try CassetteTransport(
            CurlTransport(configuration: nginx.trusting), file: file.url, mode: .record)
        var recorded: [HTTPResponse] = []
        for request in requests { recorded.append(try await recorder.send(Exchange(request: request))) }
        let player = try CassetteTransport(replaying: file.url)
        for (request, first) in zip(requests, recorded) {
            let second = try await player.send(Exchange(request: request))
            #expect(second.statusCode == first.statusCode)
            #expect(second.headers == first.headers)
            #expect(second.data == first.data)
        }
        // The transport decodes what it has announced itself; what the caller asked for comes as it is.
        #expect(recorded[0].headers["Content-Encoding"] == "gzip" && recorded[0].data.count == 44_000)
        #expect(recorded[1].headers["Content-Encoding"] == "gzip" && recorded[1].data.starts(with: [0x1F, 0x8B]))
        #expect(recorded[3].statusCode == 206 && recorded[3].data.count == 16)
        #expect(recorder.entries.first?.response.httpVersion == "h2")
        #expect(player.unusedCount == 0)
    }
}
