import Foundation
import Testing

@testable import TrunklineHTTP

@Suite("What is known about a partial download") struct DownloadStateTests {
    @Test("The state file: what is written is read, and nothing else")
    func statesFuzz() async throws {
        var random = SeededRandom(seed: 36)
        var state = DownloadState(
            url: "http://h/x", validator: DownloadValidator(text: "\"v\"", isDate: false), total: 10, digest: "ab")
        state.synced = 7
        #expect(DownloadState(bytes: state.bytes) == state)
        for count in 0..<state.bytes.count { #expect(DownloadState(bytes: Array(state.bytes.prefix(count))) == nil) }
        for _ in 0..<FuzzRounds.count(full: 20_000) {
            var bytes = state.bytes
            bytes[random.below(bytes.count)] ^= UInt8(1 << random.below(8))
            #expect(DownloadState(bytes: bytes) == nil)
        }
    }

    @Test("Content-Range: what is one, and what is not")
    func ranges() {
        #expect(ContentRange("bytes 4-9/10")?.count == 6 && ContentRange("Bytes 0-0/*")?.total == nil)
        for text in [
            nil, "", "bytes", "bytes */10", "bytes 4-3/10", "bytes 4-10/10", "bytes 4-9/9", "items 4-9/10",
            "bytes -4-9/10",
            "bytes 4-9", "bytes 4-9/10/11", "bytes +4-9/10", "bytes 0-9223372036854775807/*",
            "bytes 0-99999999999999999999/*",
        ] {
            #expect(ContentRange(text) == nil, "\(text ?? "nil")")
        }
    }
}
