import Foundation
import Testing

@testable import TrunklineHTTP

@Suite("Cache under load")
struct CacheConcurrencyTests {
    private let scratch = ScratchDirectory()

    /// A body that says whose it is, in every part.
    private func entry(_ owner: String, _ size: Int) -> CachedResponse {
        cacheEntry(owner + ":" + String(repeating: owner, count: size), url: "https://h/" + owner)
    }

    private func isSound(_ entry: CachedResponse, _ owner: String) -> Bool {
        let text = String(decoding: entry.body.data ?? Data(), as: UTF8.self)
        return entry.requestURL.lastPathComponent == owner && text.hasPrefix(owner + ":")
            && text.dropFirst(owner.count + 1).count % owner.count == 0
            && Set(text.dropFirst(owner.count + 1)).isSubset(of: Set(owner))
    }

    @Test("64 tasks read, store, remove and clear: every entry served is whole and of its key")
    func hammerFuzz() async throws {
        try await HeavyWork.run { (_: isolated OwnThread) in
            let rounds = FuzzRounds.count(full: 600)
            let cache = ResponseCache(
                memory: MemoryCacheStore(capacity: 60_000, entryLimit: 20),
                disk: DiskCacheStore(directory: scratch.url, capacity: 200_000, entryLimit: 30))
            let hits = try await withThrowingTaskGroup(of: Int.self) { group in
                for task in 0..<64 {
                    group.addTask {
                        var random = SeededRandom(seed: UInt64(task))
                        var hits = 0
                        for _ in 0..<rounds {
                            let user = CachePartition(user: ["a", "b", nil].randomElement(using: &random) ?? nil)
                            let owner = "\(Int.random(in: 10..<40, using: &random))"
                            let key = CacheKey(identity: [owner], partition: user)
                            switch Int.random(in: 0..<20, using: &random) {
                            case 0: await cache.clear(partition: user)
                            case 1: await cache.remove(for: key)
                            case 2: _ = await cache.statistics
                            case 3..<6: cache.storeInBackground(entry(owner, 200), for: key)
                            case 6..<10:
                                let size = Int.random(in: 0..<2_000, using: &random)
                                let ticket = cache.ticket(for: user)
                                await Task.yield()
                                await cache.store(entry(owner, size), for: key, ticket: ticket)
                            default:
                                if let found = await cache.response(for: key) {
                                    #expect(isSound(found, owner))
                                    hits += 1
                                }
                            }
                        }
                        return hits
                    }
                }
                return try await group.reduce(0, +)
            }
            #expect(hits > 0)
            let statistics = await cache.statistics
            #expect(statistics.disk.failures == 0 && statistics.disk.corruptions == 0)
            #expect(statistics.memory.bytes <= 60_000)
            await cache.removeAll()
            #expect(await eventually { scratch.files.isEmpty })
        }
    }

    @Test("Two stores over one directory: every entry served is whole, the directory stays within its bound")
    func twoStoresFuzz() async throws {
        try await HeavyWork.run { (_: isolated OwnThread) in
            let rounds = FuzzRounds.count(full: 600)
            let stores = (0..<2).map { _ in DiskCacheStore(directory: scratch.url, capacity: 300_000, entryLimit: 100) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for task in 0..<16 {
                    group.addTask {
                        let store = stores[task % 2]
                        var random = SeededRandom(seed: UInt64(task) &+ 100)
                        for _ in 0..<rounds {
                            let owner = "\(Int.random(in: 10..<90, using: &random))"
                            let key = CacheKey(identity: [owner])
                            if Bool.random(using: &random) {
                                let size = Int.random(in: 0..<8_000, using: &random)
                                // Out of date where the other store cleared the partition meanwhile.
                                let outcome = await store.store(entry(owner, size), for: key) { true }
                                #expect(outcome == .stored || outcome == .outdated)
                            } else if let found = await store.response(for: key) {
                                #expect(isSound(found, owner))
                            }
                            if Int.random(in: 0..<200, using: &random) == 0 { await store.removeAll(in: .shared) }
                        }
                    }
                }
                try await group.waitForAll()
            }
            for store in stores { #expect(await store.usage().corruptions == 0) }
            #expect(scratch.bytes <= 300_000)
            #expect(scratch.files.allSatisfy { !$0.contains("tmp-") })
        }
    }
}
