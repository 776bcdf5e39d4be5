import Foundation
import Testing
import TrunklineTesting

@Suite("Cassettes: missing and damaged files")
struct CassetteFileTests {
    private let directory: ScratchDirectory
    private var file: URL { directory.file("tapes/first.har") }

    init() throws { directory = try ScratchDirectory() }

    /// Files that are no cassettes.
    static let damaged: [String] = [
        "", "{", "[]", "{}", #"{"log":{}}"#, #"{"log":{"entries":[{}]}}"#,
        #"{"log":{"entries":[{"request":{"method":"GET","url":"http://h/"},"response":{"status":200,"content":{"size":3,"text":"%%%","encoding":"base64"}}}]}}"#,
        #"{"log":{"entries":[{"request":{"method":"GET","url":"http://h/"},"response":{"status":-7,"content":{}}}]}}"#,
        #"{"log":{"entries":[{"request":{"method":"GET","url":""},"response":{"status":200,"content":{}}}]}}"#,
    ]

    @Test("A missing file and a damaged one are errors that name it; the damaged one is left alone", arguments: damaged)
    func damage(_ text: String) throws {
        let missing = #expect(throws: CassetteError.self) { try CassetteTransport(replaying: file) }
        guard case .missing(file)? = missing else {
            Issue.record("\(String(describing: missing))")
            return
        }
        let broken = directory.file("broken.har")
        try Data(text.utf8).write(to: broken)
        for mode in [CassetteTransport.Mode.replay, .recordMissing] {
            let error = #expect(throws: CassetteError.self) {
                try CassetteTransport(StubTransport(), file: broken, mode: mode)
            }
            guard case .damaged(broken, _)? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
        #expect(try Data(contentsOf: broken) == Data(text.utf8))
    }

    @Test("A file that breaks off, or has one byte changed, is damaged or whole, never a trap")
    func truncationFuzz() async throws {
        let stubs = StubTransport()
        stubs.when(answer: .data(Data((0...255).map { UInt8($0) })))
        let recorder = try CassetteTransport(stubs, file: file, mode: .record)
        for index in 0..<3 { _ = try await recorder.answer(request(.get, "/\(index)")) }
        let whole = try Data(contentsOf: file)
        let broken = directory.file("broken.har")
        var random = SeededRandom(seed: 11)
        for round in 0..<FuzzRounds.count(full: 4000) {
            var bytes = whole
            if round.isMultiple(of: 2) {
                bytes = bytes.prefix(random.below(bytes.count - 1))
            } else {
                bytes[random.below(bytes.count)] = UInt8(random.below(256))
            }
            try bytes.write(to: broken)
            guard let player = try? CassetteTransport(replaying: broken) else { continue }
            #expect(!round.isMultiple(of: 2), "half a file was taken for a whole one")
            for index in 0..<3 { _ = try? await player.answer(request(.get, "/\(index)")) }
        }
    }

    @Test("A file another tool wrote, without the contents, fails with words")
    func withoutContent() async throws {
        let text =
            #"{"log":{"version":"1.2","creator":{"name":"x","version":"1"},"entries":[{"request":{"method":"GET","url":"https://api.test/a","headers":[{"name":":authority","value":"x"}]},"response":{"status":200,"headers":[],"content":{"size":5,"mimeType":"text/plain"}},"timings":{"wait":1e300,"receive":null}}]}}"#
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
        let player = try CassetteTransport(replaying: file)
        let error = try await failure { _ = try await player.answer(request(.get, "/a")) }
        guard case .contentMissing? = error.cassetteError else { throw error }
    }

    @Test("A file that can't be written is an error of the request that was recorded")
    func unwritable() async throws {
        try Data().write(to: directory.file("tapes"))
        let stubs = StubTransport()
        stubs.when(answer: .status(200))
        let recorder = try CassetteTransport(stubs, file: file, mode: .record)
        let error = try await failure { _ = try await recorder.answer(request(.get, "/a")) }
        guard case .notWritten? = error.cassetteError else { throw error }
    }
}
