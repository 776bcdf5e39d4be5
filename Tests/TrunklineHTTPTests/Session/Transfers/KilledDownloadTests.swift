import Foundation
import Testing
import TrunklineTesting

@testable import TrunklineHTTP

@Suite("A download whose process is killed") struct KilledDownloadTests {
    private static let size: Int64 = 200_000_000
    /// Of the first 200,000,000 bytes of the pattern of seed 200.
    private static let digest = "59dd4bc8021e7f8b088c2c37e400d772fe7303c925b72605c52101f76ab23265"

    /// The content from an offset on, none of it in memory: up to the pattern's next period, then the pattern from its
    /// beginning.
    private static func content(from offset: Int64, rate: Int?) -> LoopbackResponse {
        let pattern = LoopbackPattern(seed: 200)
        let period = Int64(LoopbackPattern.period)
        let aligned = min(size, (offset + period - 1) / period * period)
        var head = "HTTP/1.1 \(offset > 0 ? "206 Partial Content" : "200 OK")\r\nETag: \"v1\"\r\n"
        head += "Content-Length: \(size - offset)\r\n"
        if offset > 0 { head += "Content-Range: bytes \(offset)-\(size - 1)/\(size)\r\n" }
        return .raw([
            .limitRate(bytesPerSecond: rate), .send(head + "\r\n"),
            .send(pattern.bytes(from: offset, count: Int(aligned - offset))),
            .generated(pattern, count: size - aligned),
        ])
    }

    @Test("SIGKILL in 200 MB, twice: a new process ends with the right SHA-256", arguments: TransportKind.allCases)
    func killed(kind: TransportKind) async throws {
        let scratch = try TransferScratch()
        let count = Protected(0)
        let server = try LoopbackServer { server in
            server.route(.get, "/f") { request in
                let offset = Int64((request.headers["Range"] ?? "").filter(\.isNumber)) ?? 0
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                // Slow as long as it is to be killed.
                return KilledDownloadTests.content(from: offset, rate: number < 3 ? 40_000_000 : nil)
            }
        }
        let tool = try #require(ChildProcess.tool("ResourceProbe"))
        let url = try #require(server.url("/f"))
        let arguments = [
            "download", url.absoluteString, scratch.transfers.path, scratch.file("f").path,
            kind.make().capabilities.name,
        ]
        try await HeavyWork.run {
            for limit: Int64 in [60_000_000, 110_000_000] {
                let process = try ChildProcess.start(tool, arguments)
                let isThere = waitUntil { scratch.partialLength >= limit }
                process.kill()
                #expect(isThere && scratch.partialLength < KilledDownloadTests.size)
                #expect(scratch.names == [])
            }
            let left = scratch.partialLength
            let result = try ChildProcess.run(tool, arguments)
            #expect(result.exitStatus == 0, "\(result.complaints)")
            // What was being written when the signal came may still have got there after the process was seen to be gone.
            let first = result.lines.first { $0.hasPrefix("first ") }.flatMap { Int64($0.dropFirst(6)) } ?? 0
            let asked = server.requests.last?.headers["Range"] ?? ""
            let offset = Int64(asked.filter(\.isNumber)) ?? 0
            #expect(offset >= left && left >= 110_000_000)
            // The first progress the process heard of: a busy one hears of a later one.
            #expect(first >= offset && asked == "bytes=\(offset)-")
            #expect(scratch.names == ["f"] && scratch.kept == [])
            #expect(try ChildProcess.sha256(of: scratch.file("f")) == KilledDownloadTests.digest)
            #expect(server.requests.last?.headers["If-Range"] == "\"v1\"")
            #expect(server.requests.count == 3)
        }
    }

    @Test("SIGKILL at any moment of small downloads: always a right file in the end")
    func killedAnywhereFuzz() async throws {
        let scratch = try TransferScratch()
        let size = 3_000_000
        let version = Protected(0)
        let server = try LoopbackServer { server in
            server.route(.get, "/f") { request in
                let tag = "\"\(version.current)\""
                let content = LoopbackPattern(seed: UInt64(version.current)).bytes(count: size)
                guard request.headers["If-Range"] == tag,
                    let offset = Int((request.headers["Range"] ?? "").filter(\.isNumber))
                else { return .data(content, headers: ["ETag": tag]).throttled(bytesPerSecond: 20_000_000) }
                return .data(
                    content.dropFirst(offset), status: 206,
                    headers: ["ETag": tag, "Content-Range": "bytes \(offset)-\(size - 1)/\(size)"])
            }
        }
        let tool = try #require(ChildProcess.tool("ResourceProbe"))
        let url = try #require(server.url("/f"))
        let arguments = ["download", url.absoluteString, scratch.transfers.path, scratch.file("f").path, "libcurl"]
        try await HeavyWork.run {
            var random = SeededRandom(seed: 37)
            for round in 0..<FuzzRounds.count(full: 100) {
                try? FileManager.default.removeItem(at: scratch.file("f"))
                for _ in 0..<3 {
                    let process = try ChildProcess.start(tool, arguments)
                    usleep(UInt32(random.below(200_000)))
                    process.kill()
                    // Now and then the content changes while nobody looks.
                    if random.below(3) == 0 { version.withLock { $0 += 1 } }
                }
                if FileManager.default.fileExists(atPath: scratch.file("f").path) { continue }
                let result = try ChildProcess.run(tool, arguments)
                #expect(result.exitStatus == 0, "round \(round): \(result.complaints)")
                let expected = LoopbackPattern(seed: UInt64(version.current)).bytes(count: size)
                #expect(try Data(contentsOf: scratch.file("f")) == expected, "round \(round)")
            }
        }
    }
}

extension TransferScratch {
    /// The length of the one partial content that is kept; 0 where there is none.
    fileprivate var partialLength: Int64 {
        let directory = transfers.appendingPathComponent("downloads")
        let name = kept.first { $0.hasSuffix(".part") }
        guard let name, let facts = try? FileSystem.facts(at: directory.appendingPathComponent(name).path) else {
            return 0
        }
        return facts.size
    }
}
