import Foundation
import TestSupport
import TrunklineHTTP

/// Reads and writes a cache directory that others read and write too, until it is killed or has done its share. Ends with
/// status 3 when an entry has bytes that are not its own.
///
/// Bodies tell whose they are: a unit that follows from the key and a version, over and over, the version in front.
struct CacheHammer: Sendable {
    private let cache: ResponseCache
    private let directory: URL
    private let reported = Protected(false)

    static let keys = 60
    /// The bytes of the directory at most: some large entries, so that there is always something to evict.
    static let capacity = 24_000_000

    static func run(directory: URL, seed: UInt64, rounds: Int) async {
        let hammer = CacheHammer(
            cache: ResponseCache(
                memory: MemoryCacheStore(capacity: seed % 2 == 0 ? 0 : 200_000),
                disk: DiskCacheStore(directory: directory, capacity: capacity, touchInterval: .milliseconds(50))),
            directory: directory)
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<6 {
                group.addTask { await hammer.work(SeededRandom(seed: seed &* 97 &+ UInt64(task)), rounds: rounds) }
            }
        }
        await hammer.cache.flush()
    }

    /// Reads every entry there is: how many, and how many bytes the directory has.
    static func verify(directory: URL) async {
        let store = DiskCacheStore(directory: directory, capacity: capacity)
        let usage = await store.usage()
        let hammer = CacheHammer(
            cache: ResponseCache(memory: MemoryCacheStore(capacity: 0), disk: store), directory: directory)
        var sound = 0
        for number in 0..<keys {
            for user in 0..<3 where await hammer.read(number, user) { sound += 1 }
        }
        let after = await store.usage()
        Findings.report("bytes", usage.bytes)
        Findings.report("capacity", capacity)
        Findings.report("entries", usage.entries)
        Findings.report("sound", sound)
        Findings.report("damaged", after.corruptions + after.failures)
    }

    private func work(_ random: SeededRandom, rounds: Int) async {
        var random = random
        for _ in 0..<rounds {
            let (number, user) = (random.below(CacheHammer.keys), random.below(3))
            let version = Int(truncatingIfNeeded: random.next() >> 40)
            switch random.below(100) {
            case 0: await cache.clear(partition: partition(user))
            case 1: await cache.remove { $0.url.lastPathComponent == "\(number)" }
            case 2..<5: await cache.remove(for: key(number, user))
            case 5..<40:
                let entry = entry(number, CacheHammer.body(number, user, version, size: random.below(20_000)))
                if random.below(2) == 0 {
                    await cache.store(entry, for: key(number, user))
                } else {
                    cache.storeInBackground(entry, for: key(number, user))
                }
            case 40..<50:
                let body = CacheHammer.body(number, user, version, size: 1_000_000 + random.below(1_500_000))
                await stream(body, number, user, endsEarly: random.below(4) == 0)
            case 50..<53:
                await download(
                    CacheHammer.body(number, user, version, size: 1_000_000 + random.below(800_000)), number, user)
            default: _ = await read(number, user)
            }
            if !reported.withLock({ reported in
                defer { reported = true }
                return reported
            }) {
                print("ready")
                fflush(nil)
            }
        }
    }

    private func partition(_ user: Int) -> CachePartition { CachePartition(user: "user \(user)") }
    private func key(_ number: Int, _ user: Int) -> CacheKey {
        CacheKey(identity: ["\(number)"], partition: partition(user))
    }

    private func entry(_ number: Int, _ body: Data) -> CachedResponse {
        CachedResponse(
            statusCode: 200, headers: ["Content-Length": "\(body.count)"], body: .data(body),
            requestURL: URL(string: "https://h/\(number)") ?? directory, storedAt: Date())
    }

    private func answer(_ number: Int, _ body: ResponseBody) -> HTTPResponse {
        HTTPResponse(
            request: HTTPRequest(url: URL(string: "https://h/\(number)") ?? directory), statusCode: 200, body: body)
    }

    private func stream(_ body: Data, _ number: Int, _ user: Int, endsEarly: Bool) async {
        let position = Protected(0)
        let chunks = ResponseBody.Chunks {
            let start = position.withLock { position in
                defer { position += 50_000 }
                return position
            }
            return start < body.count ? Data(body[start..<min(start + 50_000, body.count)]) : nil
        }
        let kept = cache.keep(answer(number, .stream(chunks)), as: entry(number, Data()), for: key(number, user))
        guard case .stream(let passing) = kept.body else { return }
        var count = 0
        do {
            for try await chunk in passing {
                count += chunk.count
                if endsEarly, count > body.count / 2 { return }
            }
        } catch {
            complain("a stream failed: \(error)")
        }
        if count != body.count { complain("a stream gave \(count) of \(body.count) bytes") }
    }

    private func download(_ body: Data, _ number: Int, _ user: Int) async {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("hammer-\(UUID().uuidString)")
        guard (try? body.write(to: file)) != nil else { return }
        _ = cache.keep(answer(number, .file(file)), as: entry(number, Data()), for: key(number, user))
        try? FileManager.default.removeItem(at: file)
    }

    /// Whether there is an entry; ends the process when it is not the key's.
    private func read(_ number: Int, _ user: Int) async -> Bool {
        guard let entry = await cache.response(for: key(number, user)) else { return false }
        guard entry.requestURL.lastPathComponent == "\(number)" else {
            complain("an entry of another key")
            return false
        }
        var content = Data()
        do {
            for try await chunk in entry.body.chunks() { content.append(chunk) }
        } catch {
            complain("an entry can't be read: \(error)")
        }
        let version = content.prefix(10).split(separator: 0x20).first.flatMap {
            Int(String(decoding: $0, as: UTF8.self))
        }
        if content != CacheHammer.body(number, user, version ?? -1, size: content.count - 10) {
            complain("\(content.count) bytes that were never stored for \(number) of \(user)")
        }
        return true
    }

    private func complain(_ what: String) {
        FileHandle.standardError.write(Data((what + "\n").utf8))
        exit(3)
    }

    static func body(_ number: Int, _ user: Int, _ version: Int, size: Int) -> Data {
        var random = SeededRandom(seed: UInt64(truncatingIfNeeded: version &* 1_000 &+ number &* 3 &+ user))
        // A prime number of bytes, so that no two blocks of a file are the same.
        let unit = Data((0..<251).map { _ in UInt8(truncatingIfNeeded: random.next()) })
        var body = Data("\(version)".utf8)
        body.append(Data(repeating: 0x20, count: 10 - body.count))
        while body.count < size + 10 { body.append(unit) }
        return body.prefix(size + 10)
    }
}
