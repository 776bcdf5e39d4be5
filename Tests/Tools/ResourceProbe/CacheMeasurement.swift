import Foundation
import TestSupport
import TrunklineHTTP

/// A large answer through the cache: stored as it passes, read back as a stream and into a file, and copied from a
/// download. How much memory that takes.
enum CacheMeasurement {
    static func run(directory: URL, megabytes: Int) async throws {
        let store = DiskCacheStore(directory: directory, capacity: megabytes * 5_000_000)
        let cache = ResponseCache(disk: store)
        guard let url = URL(string: "https://h/large") else { return }
        let request = HTTPRequest(url: url)
        let piece = Data((0..<65_536).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 7) })
        let count = megabytes * 16
        func answer(_ body: ResponseBody) -> HTTPResponse {
            HTTPResponse(request: request, statusCode: 200, body: body)
        }
        func head(_ response: HTTPResponse) -> CachedResponse {
            CachedResponse(head: response, to: request, requestedAt: Date(), storedAt: Date())
        }
        func key(_ name: String) -> CacheKey { CacheKey(identity: [name]) }

        let given = Protected(0)
        let chunks = ResponseBody.Chunks {
            let number = given.withLock { given in
                defer { given += 1 }
                return given
            }
            return number < count ? piece : nil
        }
        let before = ProcessFacts.peakResidentBytes()
        let start = ContinuousClock.now
        let response = answer(.stream(chunks))
        guard case .stream(let passing) = cache.keep(response, as: head(response), for: key("stream")).body else {
            return
        }
        for try await _ in passing {}
        report("stored", since: start)

        guard let entry = await cache.response(for: key("stream")), case .file = entry.body else {
            throw Findings.Unexpected(description: "the answer is not in a file")
        }
        let reading = ContinuousClock.now
        var read = 0
        for try await chunk in entry.body.chunks() {
            guard chunk == piece else { throw Findings.Unexpected(description: "other bytes") }
            read += chunk.count
        }
        report("read", since: reading)
        Findings.report("bytes", read)

        let file = directory.appendingPathExtension("file")
        defer { try? FileManager.default.removeItem(at: file) }
        try await entry.body.write(to: file)
        let download = answer(.file(file))
        _ = cache.keep(download, as: head(download), for: key("file"))
        await cache.flush()
        Findings.report("copied", await cache.response(for: key("file")).map { Int($0.body.count) })
        if let before, let peak = ProcessFacts.peakResidentBytes() { Findings.report("growth", peak - before) }
    }

    private static func report(_ name: String, since start: ContinuousClock.Instant) {
        Findings.report(name + ".ms", Int((ContinuousClock.now - start).seconds * 1000))
    }
}
