import Foundation
import TestSupport
import Testing
import TrunklineTesting

@testable import TrunklineHTTP

@Suite("Request compression")
struct RequestCompressionTests {
    @Test(
        "Without zlib, or with a library that isn't zlib, compression is unsupported",
        arguments: ["/nowhere/libz", libc])
    func unsupported(library: String) {
        let error = #expect(throws: HTTPError.self) { try Gzip.compress(Data(count: 2000), library: library) }
        guard case .unsupported(let feature, let platform) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(feature == "Request compression" && platform.contains("zlib"))
    }

    #if canImport(Darwin)
        private static let libc = "/usr/lib/libSystem.B.dylib"
    #else
        private static let libc = "libc.so.6"
    #endif

    @Test("Bodies that get smaller are compressed and say so, others are left alone")
    func interceptor() throws {
        let url = try #require(URL(string: "https://h/p"))
        let json = Data(String(repeating: #"{"id":1,"name":"x"},"#, count: 500).utf8)
        var request = HTTPRequest(method: .post, url: url, body: .data(json, contentType: "application/json"))
        try RequestCompression().compress(&request)
        #expect(request.headers["Content-Encoding"] == "gzip")
        #expect(request.body?.contentType == "application/json")
        let compressed = try #require(request.body?.data)
        #expect(compressed.count < json.count / 10)
        try RequestCompression().compress(&request)
        #expect(request.body?.data == compressed, "compressed twice")

        var random = SeededRandom(seed: 3)
        let noise = Data((0..<5000).map { _ in UInt8(truncatingIfNeeded: random.next()) })
        for body in [RequestBody.data(noise), .data(json.prefix(1000)), .stream { RequestBody.Chunks { nil } }] {
            var untouched = HTTPRequest(method: .post, url: url, body: body)
            try RequestCompression().compress(&untouched)
            #expect(untouched.headers.isEmpty && untouched.body?.data == body.data)
        }
    }

    @Test(
        "Files and streams are compressed as they are sent, where that is asked for",
        .enabled(if: ChildProcess.python != nil))
    func streams() async throws {
        let server = try LoopbackServer { $0.fallback(respond: .text("ok")) }
        let content = Data(String(repeating: #"{"id":1,"name":"x"},"#, count: 100_000).utf8)
        let file = try ScratchFile(content)
        let session = SessionManager(interceptors: [RequestCompression(compressesStreams: true)])
        let bodies: [RequestBody] = [
            try .file(file.url, contentType: "application/json"),
            .stream(length: Int64(content.count)) {
                let rest = Protected(content[...])
                return RequestBody.Chunks {
                    rest.withLock { rest in
                        defer { rest = rest.dropFirst(10_000) }
                        return rest.isEmpty ? nil : Data(rest.prefix(10_000))
                    }
                }
            },
        ]
        for body in bodies { _ = try await session.send(try server.request(.post, "/", body: body)) }
        for sent in server.requests {
            #expect(sent.headers["Content-Encoding"] == "gzip" && sent.headers["Content-Length"] == nil)
            #expect(sent.body.count < content.count / 10)
            let compressed = try ScratchFile(sent.body)
            let script = "import sys, gzip; sys.stdout.buffer.write(gzip.open(sys.argv[1]).read())"
            let output = try await HeavyWork.run {
                try ChildProcess.run(try #require(ChildProcess.python), ["-c", script, compressed.url.path]).output
            }
            #expect(Data(output.utf8) == content)
        }
        #expect(server.requests.map { $0.headers["Content-Type"] } == ["application/json", "application/octet-stream"])
        #expect(server.requests.count == 2)
    }

    @Test("Python's gzip gives back every input", .enabled(if: ChildProcess.python != nil))
    func pythonGzipFuzz() async throws {
        try await HeavyWork.run {
            let script = """
                import sys, gzip
                with open(sys.argv[1]) as lines:
                    for line in lines.read().split("\\n"):
                        print(gzip.decompress(bytes.fromhex(line)).hex())
                """
            var random = SeededRandom(seed: 4)
            var inputs: [Data] = [Data(), Data([0]), Data(repeating: 7, count: 70_000), Data(repeating: 9, count: 259)]
            for round in 0..<FuzzRounds.count(full: 3_000) {
                let letters = 1 + random.below(round % 3 == 0 ? 256 : 4)
                var bytes: [UInt8] = []
                while bytes.count < random.below(3000) {
                    if random.below(3) == 0, !bytes.isEmpty {
                        let start = random.below(bytes.count)
                        bytes += bytes[start..<min(bytes.count, start + random.below(400))]
                    } else {
                        bytes.append(UInt8(random.below(letters)))
                    }
                }
                inputs.append(Data(bytes))
            }
            // A repeat farther back than the window, and one exactly at its edge.
            let noise = (0..<40_000).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            inputs.append(Data(noise + noise))
            inputs.append(Data(noise.prefix(32768) + noise.prefix(32768)))
            let found = try ChildProcess.python(script, lines: inputs.map { try Gzip.compress($0).hex }) ?? []
            #expect(found.count == inputs.count)
            for (index, pair) in zip(found, inputs).enumerated() {
                #expect(pair.0 == pair.1.hex, "seed 4, input \(index)")
            }
        }
    }
}
