import Foundation
import Testing

@testable import TrunklineHTTP

@Suite("ResponseCache")
struct ResponseCacheTests {
    private let scratch = ScratchDirectory()
    private let key = CacheKey(identity: ["a"])

    private func body(_ entry: CachedResponse?) -> String? {
        entry?.body.data.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test("Memory answers first, disk after a restart, and a disk hit goes to memory")
    func tiers() async throws {
        let first = ResponseCache(disk: DiskCacheStore(directory: scratch.url))
        #expect(await first.response(for: key) == nil)
        #expect(await first.store(cacheEntry("one"), for: key))
        #expect(body(first.memoryResponse(for: key)) == "one")

        let second = ResponseCache(disk: DiskCacheStore(directory: scratch.url))
        #expect(second.memoryResponse(for: key) == nil)
        #expect(body(await second.response(for: key)) == "one")
        #expect(body(second.memoryResponse(for: key)) == "one")
        await second.remove(for: key)
        #expect(await second.response(for: key) == nil)
        #expect(scratch.files.isEmpty)

        let statistics = await second.statistics
        #expect(statistics.memoryHits == 1 && statistics.diskHits == 1 && statistics.misses == 1)
        #expect(await first.statistics.stores == 1)
    }

    @Test("The bytes come back as they were: no number is written anew")
    func rawBytes() async throws {
        let text = #"{"id":9007199254740993,"price":129.9,"n":79228162514264337593543950335,"u":18446744073709551615}"#
        let first = ResponseCache(disk: DiskCacheStore(directory: scratch.url))
        await first.store(cacheEntry(text), for: key)
        let second = ResponseCache(disk: DiskCacheStore(directory: scratch.url))
        #expect(body(await second.response(for: key)) == text)
    }

    @Test("A store that began before the partition was cleared is refused")
    func ticketEndsWithClear() async throws {
        let cache = ResponseCache(disk: DiskCacheStore(directory: scratch.url))
        let user = CachePartition(user: "a")
        let key = CacheKey(identity: ["me"], partition: user)
        let other = cache.ticket()
        let ticket = cache.ticket(for: user)
        #expect(await cache.store(cacheEntry("one"), for: key, ticket: ticket))
        await cache.clear(partition: user)
        #expect(scratch.files.isEmpty)
        #expect(await !cache.store(cacheEntry("two"), for: key, ticket: ticket))
        #expect(!cache.storeInBackground(cacheEntry("two"), for: key, ticket: ticket))
        #expect(await cache.response(for: key) == nil)
        #expect(cache.isCurrent(other))
        #expect(await !cache.store(cacheEntry("two"), for: key, ticket: other))
        #expect(await cache.statistics.refusals == 3)

        #expect(await cache.store(cacheEntry("three"), for: key, ticket: cache.ticket(for: user)))
        await cache.removeAll()
        #expect(!cache.isCurrent(other))
        #expect(scratch.files.isEmpty)
    }

    @Test("Clearing while a write or a read is on its way: nothing comes back")
    func clearOvertakes() async throws {
        let disk = GatedStore()
        let cache = ResponseCache(disk: disk)
        // A write stands at the door of the disk when the partition is cleared.
        async let stored = cache.store(cacheEntry("one"), for: key)
        #expect(await eventually { disk.waiting == 1 })
        #expect(body(cache.memoryResponse(for: key)) == "one")
        await cache.clear(partition: .shared)
        disk.open()
        _ = await stored
        #expect(await cache.response(for: key) == nil)
        #expect(disk.outcomes == [.outdated])

        // A read has found the entry and is on its way back.
        disk.plant(cacheEntry("two"))
        disk.close()
        async let found = cache.response(for: key)
        #expect(await eventually { disk.waiting == 1 })
        await cache.clear(partition: .shared)
        disk.open()
        #expect(await found == nil)
        #expect(cache.memoryResponse(for: key) == nil)
    }

    @Test("A newer store overtakes a slow read and a slow write of the same key")
    func newerWins() async throws {
        let disk = GatedStore()
        let cache = ResponseCache(memory: MemoryCacheStore(capacity: 0), disk: disk)
        disk.plant(cacheEntry("old"))
        async let found = cache.response(for: key)
        #expect(await eventually { disk.waiting == 1 })
        async let first = cache.store(cacheEntry("one"), for: key)
        #expect(await eventually { disk.waiting == 2 })
        // Memory takes nothing here: readers see the entry that waits for the disk.
        #expect(body(cache.memoryResponse(for: key)) == "one")
        async let second = cache.store(cacheEntry("two"), for: key)
        #expect(await eventually { disk.waiting == 3 })
        #expect(body(cache.memoryResponse(for: key)) == "two")
        disk.open()
        _ = await (first, second)
        #expect(body(await found) != "old")
        #expect(disk.outcomes.filter { $0 == .stored }.count == 1)
        #expect(body(disk.entry) == "two")
        #expect(cache.memoryResponse(for: key) == nil)
    }

    @Test("Stores in the background reach the disk")
    func background() async throws {
        let cache = ResponseCache(disk: DiskCacheStore(directory: scratch.url))
        for number in 0..<20 {
            cache.storeInBackground(cacheEntry("\(number)"), for: CacheKey(identity: ["\(number)"]))
        }
        await cache.flush()
        #expect(scratch.files.count == 20)
        await cache.flush()
    }

    @Test("An entry past its retention is given up, by the wall clock")
    func retention() async throws {
        let start = Date(timeIntervalSince1970: 1_700_000_000)
        let cache = ResponseCache(disk: DiskCacheStore(directory: scratch.url), retention: .seconds(100))
        await cache.store(cacheEntry("x", at: start), for: key)
        #expect(await cache.response(for: key, now: start.addingTimeInterval(99)) != nil)
        #expect(await cache.response(for: key, now: start.addingTimeInterval(-1e6)) != nil)
        #expect(await cache.response(for: key, now: start.addingTimeInterval(100)) == nil)
        #expect(scratch.files.isEmpty)
    }

    @Test("A failing disk is a miss, the entry stays in memory, and nothing fails")
    func failingDisk() async throws {
        let cache = ResponseCache(disk: DiskCacheStore(directory: URL(fileURLWithPath: "/proc/nowhere")))
        #expect(await cache.store(cacheEntry("x"), for: key))
        #expect(body(cache.memoryResponse(for: key)) == "x")
        #expect(await cache.response(for: CacheKey(identity: ["b"])) == nil)
        #expect(await cache.statistics.failures >= 1)
    }
}
