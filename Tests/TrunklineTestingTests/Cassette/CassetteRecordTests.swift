import Foundation
import Testing
import TrunklineTesting

@Suite("Cassettes: what is recorded")
struct CassetteRecordTests {
    private let directory: ScratchDirectory
    private var file: URL { directory.file("tapes/first.har") }

    init() throws { directory = try ScratchDirectory() }

    @Test("Record missing asks only for what is not there, and keeps what was")
    func recordMissing() async throws {
        let stubs = StubTransport()
        stubs.when(answer: .answer { .text($0.path) })
        for paths in [["/a"], ["/a", "/b"], ["/b", "/a", "/b", "/c"]] {
            let cassette = try CassetteTransport(stubs, file: file, mode: .recordMissing)
            for path in paths { #expect(try await cassette.text(request(.get, path)) == path) }
        }
        #expect(stubs.requests.map(\.url.path) == ["/a", "/b", "/b", "/c"])
        #expect(try HARFile(contentsOf: file).log.entries.map { $0.request.url.suffix(2) } == ["/a", "/b", "/b", "/c"])
        let through = try CassetteTransport(stubs, file: file, mode: .passThrough)
        _ = try await through.answer(request(.get, "/z"))
        #expect(try HARFile(contentsOf: file).log.entries.count == 4)
        let anew = try CassetteTransport(stubs, file: file, mode: .record)
        #expect(try HARFile(contentsOf: file).log.entries.count == 4)
        _ = try await anew.answer(request(.get, "/z"))
        #expect(try HARFile(contentsOf: file).log.entries.count == 1)
    }

    @Test("Credentials never reach the file, in any place, and still match on replay")
    func redaction() async throws {
        let stubs = StubTransport()
        stubs.when(
            answer: .json(#"{"access_token":"PLANTED","n":1}"#).addingHeader("Set-Cookie", "s=PLANTED")
                .addingHeader("Location", "https://api.test/x?token=PLANTED"))
        var parts = MultipartFormData()
        parts.append("PLANTED", name: "password")
        parts.append("Emma", name: "title")
        let requests = [
            try request(
                .get, "https://u:PLANTED@api.test/a?token=PLANTED&x=1",
                headers: ["Authorization": "Bearer PLANTED", "Cookie": "PLANTED"]),
            try request(.post, "/json", body: .text(#"{"password":"PLANTED","a":1}"#, contentType: "application/json")),
            try request(
                .post, "/form", body: .text("password=PLANTED&a=1", contentType: "application/x-www-form-urlencoded")),
            try request(.post, "/multipart", body: try .multipart(parts)),
        ]
        let rule = CassetteMatching(headers: ["Authorization"], body: true)
        let recorder = try CassetteTransport(stubs, file: file, mode: .record, matching: rule)
        for request in requests { _ = try await recorder.answer(request) }
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(!text.contains("PLANTED"))
        #expect(text.contains("Emma"))
        let player = try CassetteTransport(replaying: file, matching: rule)
        var other = MultipartFormData()
        other.append("ANOTHER", name: "password")
        other.append("Emma", name: "title")
        for request in requests.dropLast() { #expect(try await player.answer(request).statusCode == 200) }
        let again = try request(.post, "/multipart", body: try .multipart(other))
        #expect(try await player.answer(again).data == Data(#"{"access_token":"<redacted>","n":1}"#.utf8))
        let open = try CassetteTransport(stubs, file: file, mode: .record, redaction: .none)
        _ = try await open.answer(requests[0])
        #expect(try String(contentsOf: file, encoding: .utf8).contains("PLANTED"))
    }

    @Test("A cancelled exchange and an abandoned stream leave nothing in the file")
    func cancelled() async throws {
        let clock = TestClock()
        let stubs = StubTransport(clock: clock)
        stubs.when(.get, "/never", answer: .never)
        stubs.when(.get, "/stream", answer: .chunks([Data("a".utf8), Data("b".utf8)]))
        let recorder = try CassetteTransport(stubs, file: file, mode: .record)
        let sending = Task { try await recorder.answer(request(.get, "/never")) }
        await clock.waitForSleepers()
        sending.cancel()
        _ = try await failure { _ = try await sending.value }
        do {
            let response = try await recorder.answer(request(.get, "/stream", delivery: .stream))
            guard case .stream(let stream) = response.body else { throw TestFailure("no stream") }
            var iterator = stream.makeAsyncIterator()
            #expect(try await iterator.next() == Data("a".utf8))
        }
        #expect(recorder.entries.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test("A one-shot upload is recorded and sent with its framing")
    func upload() async throws {
        let server = try LoopbackServer { $0.addStandardRoutes() }
        let recorder = try CassetteTransport(DefaultTransport.make(), file: file, mode: .record)
        let stream = AsyncThrowingStream<Data, any Error> { continuation in
            continuation.yield(Data("abc".utf8))
            continuation.finish()
        }
        _ = try await recorder.answer(
            request(.put, "/upload", base: server.baseURL.absoluteString, body: .oneShot(stream)))
        #expect(server.requests.first?.body == Data("abc".utf8))
        #expect(recorder.entries.first?.request.postData?.data == Data("abc".utf8))
    }

    @Test("Many exchanges at once are all in the file, in the order they began")
    func concurrency() async throws {
        let stubs = StubTransport()
        stubs.when(answer: .answer { .text($0.path) })
        let recorder = try CassetteTransport(stubs, file: file, mode: .record)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<60 { group.addTask { _ = try await recorder.answer(request(.get, "/\(index)")) } }
            try await group.waitForAll()
        }
        #expect(try HARFile(contentsOf: file).log.entries.count == 60)
        let player = try CassetteTransport(replaying: file)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for index in 0..<60 {
                group.addTask { try await player.text(request(.get, "/\(index)")) == "/\(index)" }
            }
            for try await isRight in group { #expect(isRight) }
        }
        #expect(player.unusedCount == 0)
    }
}
