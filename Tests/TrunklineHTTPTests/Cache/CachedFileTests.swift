import Foundation
import Testing

@testable import TrunklineHTTP

@Suite("Content left on the disk")
struct CachedFileTests {
    private let scratch = ScratchDirectory()
    private let key = CacheKey(identity: ["a"])
    private static let size = 300_000

    private var content: Data { Data((0..<Self.size).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }) }

    private func sample(
        sealer: (any DataSealer)? = nil
    ) async throws -> (store: DiskCacheStore, body: CachedFile, path: String) {
        let store = DiskCacheStore(directory: scratch.url, inlineLimit: 1000, sealer: sealer)
        var entry = cacheEntry("")
        entry.body = .data(content)
        #expect(await store.store(entry, for: key) { true } == .stored)
        guard case .file(let body) = try #require(await store.response(for: key)).body else { throw NotAFile() }
        return (store, body, scratch.url(of: try #require(scratch.files.first)).path)
    }

    private struct NotAFile: Error {}

    private func read(_ chunks: ResponseBody.Chunks) async throws -> Data {
        var content = Data()
        for try await chunk in chunks { content.append(chunk) }
        return content
    }

    @Test("Every part is what it is of the whole", arguments: [false, true])
    func slices(isSealed: Bool) async throws {
        let (_, body, _) = try await sample(sealer: isSealed ? XORSealer(key: 7) : nil)
        let content = content
        #expect(try await read(body.chunks()) == content)
        #expect(try await body.contents() == content)
        var random = SeededRandom(seed: 3)
        for round in 0..<100 {
            let edges: [Int64] = [0, 1, 65_535, 65_536, 65_537, 131_072, Int64(Self.size)]
            let first = round < 50 ? Int64(random.below(Self.size)) : edges.randomElement(using: &random) ?? 0
            let last = min(Int64(Self.size), first + Int64(random.below(round % 2 == 0 ? 100 : 200_000)))
            let part = try #require(body.slice(first..<last))
            #expect(part.count == last - first)
            #expect(try await read(part.chunks()) == content[Int(first)..<Int(last)])
            let inner = try #require(part.slice(part.count / 3..<part.count))
            #expect(try await inner.contents() == content[Int(first + part.count / 3)..<Int(last)])
            let small = try #require(CachedBody.data(content).slice(first..<last))
            #expect(small.data == content[Int(first)..<Int(last)])
        }
        #expect(body.slice(0..<Int64(Self.size + 1)) == nil)
        #expect(body.slice(-1..<1) == nil)
        #expect(CachedBody.data(content).slice(0..<Int64.max) == nil)
    }

    @Test("An open one is read to its end when its entry is replaced, evicted, removed, cleared")
    func replaced() async throws {
        let (store, body, path) = try await sample()
        let chunks = body.chunks()
        var iterator = chunks.makeAsyncIterator()
        var found = try #require(try await iterator.next())
        #expect(await store.store(cacheEntry("new"), for: key) { true } == .stored)
        found += try #require(try await iterator.next())
        await store.removeAll()
        #expect(!FileManager.default.fileExists(atPath: path))
        while let chunk = try await iterator.next() { found += chunk }
        #expect(found == content)
        #expect(try await body.contents() == content)
    }

    @Test(
        "Damage that is met in the middle is an error to the reader, and the entry is gone", arguments: [false, true])
    func damage(isCut: Bool) async throws {
        let (store, body, path) = try await sample()
        var events = store.events.makeAsyncIterator()
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        if isCut {
            try file.truncate(atOffset: 200_000)
        } else {
            try file.seek(toOffset: 200_000)
            try file.write(contentsOf: Data([1, 2, 3]))
        }
        var iterator = body.chunks().makeAsyncIterator()
        var found = Data()
        let error = await #expect(throws: HTTPError.self) {
            while let chunk = try await iterator.next() { found += chunk }
        }
        guard case .file = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(!found.isEmpty && content.starts(with: found))
        guard case .damaged = await events.next() else {
            Issue.record("no event")
            return
        }
        #expect(await eventually { !FileManager.default.fileExists(atPath: path) })
        #expect(await store.response(for: key) == nil)
        #expect(await store.usage().corruptions == 1)
    }

    @Test("Damage of a file that was replaced leaves the newer entry alone")
    func damageOfReplaced() async throws {
        let (store, body, path) = try await sample()
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        #expect(await store.store(cacheEntry("new"), for: key) { true } == .stored)
        try file.truncate(atOffset: 1000)
        await #expect(throws: HTTPError.self) { try await body.contents() }
        #expect(await soon { await store.usage().corruptions == 1 })
        #expect(await store.response(for: key)?.body == .data(Data("new".utf8)))
    }

    @Test(
        "A new head over the same content: an entry that was confirmed is stored again with its body left on the disk")
    func newHead() async throws {
        let (store, body, _) = try await sample()
        let cache = ResponseCache(disk: store)
        var entry = try #require(await cache.response(for: key))
        entry.headers["X-Confirmed"] = "yes"
        #expect(cache.storeInBackground(entry, for: key))
        // On its way to the disk, or there.
        #expect(await cache.response(for: key)?.headers["X-Confirmed"] == "yes")
        await cache.flush()
        #expect(cache.memoryResponse(for: key) == nil)
        let found = try #require(await cache.response(for: key))
        #expect(found.headers["X-Confirmed"] == "yes")
        #expect(try await found.body.contents() == content)
        #expect(try await body.contents() == content)
        #expect(scratch.files.count == 1)
    }
}
