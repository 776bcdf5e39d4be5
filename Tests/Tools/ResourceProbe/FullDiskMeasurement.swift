import Foundation
import TestSupport
import TrunklineHTTP

/// A cache whose files can't grow beyond a limit, as on a full disk: what is stored, what is lost, what is told.
enum FullDiskMeasurement {
    static func run(directory: URL) async throws {
        // A write beyond it fails with EFBIG, in the same way as one on a full disk with ENOSPC.
        signal(SIGXFSZ, SIG_IGN)
        var limit = rlimit(rlim_cur: 300_000, rlim_max: 300_000)
        #if os(Linux)
            let isSet = setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0
        #else
            let isSet = setrlimit(RLIMIT_FSIZE, &limit) == 0
        #endif
        guard isSet, let url = URL(string: "https://h/") else { throw Findings.Unexpected(description: "no limit") }
        let store = DiskCacheStore(directory: directory)
        let cache = ResponseCache(memory: MemoryCacheStore(capacity: 0), disk: store)
        let events = store.events
        let request = HTTPRequest(url: url)
        func key(_ name: String) -> CacheKey { CacheKey(identity: [name]) }
        func entry(_ size: Int) -> CachedResponse {
            CachedResponse(statusCode: 200, body: .data(Data(count: size)), requestURL: url, storedAt: Date())
        }
        await cache.store(entry(100_000), for: key("small"))
        await cache.store(entry(100_000), for: key("large"))
        await cache.store(entry(400_000), for: key("large"))
        let given = Protected(0)
        let chunks = ResponseBody.Chunks {
            let number = given.withLock { given in
                defer { given += 1 }
                return given
            }
            return number < 40 ? Data(count: 50_000) : nil
        }
        let answer = HTTPResponse(request: request, statusCode: 200, body: .stream(chunks))
        var passed = 0
        if case .stream(let passing) = cache.keep(answer, as: entry(0), for: key("stream")).body {
            for try await chunk in passing { passed += chunk.count }
        }
        Findings.report("passed", passed)
        Findings.report("small", await cache.response(for: key("small")) == nil ? 0 : 1)
        Findings.report("large", await cache.response(for: key("large")) == nil ? 0 : 1)
        Findings.report("stream", await cache.response(for: key("stream")) == nil ? 0 : 1)
        Findings.report("failures", await store.usage().failures)
        Findings.report("files", FileManager.default.enumerator(atPath: directory.path)?.allObjects.count)
        var told = 0
        for await event in events {
            if case .systemFailed(_, EFBIG, _) = event { told += 1 }
            if told == 2 { break }
        }
        Findings.report("events", told)
    }
}
