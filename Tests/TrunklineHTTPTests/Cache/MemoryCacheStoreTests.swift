import Foundation
import Testing

@testable import TrunklineHTTP

@Suite("MemoryCacheStore")
struct MemoryCacheStoreTests {
    private func key(_ number: Int, user: String? = nil) -> CacheKey {
        CacheKey(identity: ["\(number)"], partition: CachePartition(user: user))
    }

    @Test("The least recently used entry goes first")
    func order() throws {
        let store = MemoryCacheStore(entryLimit: 3)
        for number in 1...3 { store.store(cacheEntry("\(number)"), for: key(number)) }
        #expect(store.response(for: key(1)) != nil)
        store.store(cacheEntry("4"), for: key(4))
        #expect(store.response(for: key(2)) == nil)
        #expect(store.response(for: key(1))?.body == .data(Data("1".utf8)))
        #expect(store.usage().evictions == 1)
    }

    @Test("Bytes and number stay within bounds whatever is stored")
    func boundsFuzz() async {
        await HeavyWork.run {
            let store = MemoryCacheStore(capacity: 50_000, entryLimit: 20)
            var random = SeededRandom(seed: 9)
            for number in 0..<FuzzRounds.count(full: 10_000) {
                let size = Int.random(in: 0..<16_000, using: &random)
                let outcome = store.store(cacheEntry(String(repeating: "x", count: size)), for: key(number % 60))
                if size > 12_500 { #expect(outcome == .tooLarge) }
                if size < 11_000 { #expect(outcome == .stored) }
                let usage = store.usage()
                #expect(usage.bytes <= 50_000 && usage.entries <= 20)
            }
        }
    }

    @Test("An entry that is too large takes the older one away too")
    func tooLarge() throws {
        let store = MemoryCacheStore(capacity: 10_000)
        store.store(cacheEntry("old"), for: key(1))
        #expect(store.store(cacheEntry(String(repeating: "x", count: 9_000)), for: key(1)) == .tooLarge)
        #expect(store.response(for: key(1)) == nil)
        let none = MemoryCacheStore(capacity: -5, entryLimit: -5)
        #expect(none.store(cacheEntry(), for: key(1)) == .tooLarge)
    }

    @Test("A partition is cleared by itself")
    func partitions() throws {
        let store = MemoryCacheStore()
        for user in ["a", "b"] { store.store(cacheEntry(user), for: key(1, user: user)) }
        store.removeAll(in: CachePartition(user: "a"))
        #expect(store.response(for: key(1, user: "a")) == nil)
        #expect(store.response(for: key(1, user: "b"))?.body == .data(Data("b".utf8)))
        store.removeAll()
        #expect(store.usage().entries == 0 && store.usage().bytes == 0)
    }
}
