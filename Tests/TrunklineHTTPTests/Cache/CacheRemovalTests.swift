import Foundation
import Testing

@testable import TrunklineHTTP

@Suite("Removing cache entries")
struct CacheRemovalTests {
    private let scratch = ScratchDirectory()
    private let start = Date(timeIntervalSince1970: 1_700_000_000)

    private func key(_ name: String, user: String? = nil) -> CacheKey {
        CacheKey(identity: [name], partition: CachePartition(user: user, environment: "e"))
    }

    @Test("The closure sees partition, method, URL, date and size of every entry, and takes those it wants")
    func chosen() async throws {
        let cache = ResponseCache(disk: DiskCacheStore(directory: scratch.url))
        for (number, host) in ["a", "b", "c"].enumerated() {
            for user in [nil, "u"] {
                let entry = cacheEntry(
                    String(repeating: "x", count: number), url: "https://\(host)/",
                    at: start.addingTimeInterval(Double(number)))
                await cache.store(entry, for: key(host, user: user))
            }
        }
        // One tier may have what the other has not.
        cache.memory.remove(for: key("b"))
        let seen = Protected(Set<CacheEntryDescription>())
        await cache.remove { entry in
            seen.withLock { _ = $0.insert(entry) }
            return entry.url.host == "b" || entry.partition.user == "u" && entry.size == 2
        }
        let expected = ["a", "b", "c"].enumerated().flatMap { number, host in
            [nil, "u"].map { user in
                CacheEntryDescription(
                    partition: CachePartition(user: user, environment: "e"),
                    url: URL(string: "https://\(host)/") ?? URL(fileURLWithPath: "/"),
                    storedAt: start.addingTimeInterval(Double(number)), size: Int64(number))
            }
        }
        #expect(seen.current == Set(expected))
        for cache in [cache, ResponseCache(disk: DiskCacheStore(directory: scratch.url))] {
            for (host, user) in [("a", nil), ("a", "u"), ("c", nil)] {
                #expect(await cache.response(for: key(host, user: user)) != nil)
            }
            for (host, user) in [("b", nil), ("b", "u"), ("c", "u")] {
                #expect(await cache.response(for: key(host, user: user)) == nil)
            }
        }
        #expect(scratch.files.count == 3)
    }

    @Test("A write and a read that are under way don't bring an unwanted entry back")
    func overtakes() async throws {
        let disk = GatedStore()
        let cache = ResponseCache(disk: disk)
        async let stored = cache.store(cacheEntry("one"), for: key("a"))
        #expect(await eventually { disk.waiting == 1 })
        await cache.remove { _ in true }
        disk.open()
        _ = await stored
        #expect(disk.outcomes == [.outdated])
        disk.plant(cacheEntry("two"))
        disk.close()
        async let found = cache.response(for: key("a"))
        #expect(await eventually { disk.waiting == 1 })
        await cache.remove { $0.size == 3 }
        disk.open()
        #expect(await found == nil)
        #expect(await cache.response(for: key("a")) == nil)
    }

    @Test("While a removal is under way the disk is not read: what is going can't come back to memory")
    func readsWait() throws {
        var ledger = CacheLedger()
        for removal: CacheLedger.Removal in [.all, .chosen, .entry(key("a")), .partition(key("a").partition)] {
            ledger.beginRemoval(removal)
            ledger.beginRemoval(removal)
            #expect(ledger.beginReading(key("a")) == nil)
            ledger.endRemoval(removal)
            #expect(ledger.beginReading(key("a")) == nil)
            ledger.endRemoval(removal)
            #expect(ledger.beginReading(key("a")) != nil)
        }
        ledger.beginRemoval(.entry(key("a")))
        ledger.beginRemoval(.partition(CachePartition(user: "other")))
        #expect(ledger.beginReading(key("b")) != nil)
    }

    @Test("Counts of hits, misses and revalidations")
    func statistics() async throws {
        let cache = ResponseCache(disk: DiskCacheStore(directory: scratch.url))
        await cache.store(cacheEntry("x"), for: key("a"))
        _ = await cache.response(for: key("a"))
        _ = await cache.response(for: key("b"))
        cache.noteRevalidation()
        let statistics = await cache.statistics
        #expect(statistics.hits == 1 && statistics.misses == 1 && statistics.revalidations == 1)
        #expect(statistics.bytes > 0 && statistics.disk.bytes == scratch.bytes)
    }

    @Test("A key is read from its encoding")
    func keys() throws {
        for key in [key("a"), key("b", user: ""), CacheKey(request: try cacheRequest("https://h/a"))] {
            #expect(CacheKey(encoding: key.encoding)?.partition == key.partition)
            #expect(CacheKey(encoding: key.encoding) == key)
        }
        for bytes: [UInt8] in [[], [1], [1, 2], [1, 1, 200], [1, 0, 1, 4, 1]] {
            #expect(CacheKey(encoding: bytes) == nil)
        }
    }
}
