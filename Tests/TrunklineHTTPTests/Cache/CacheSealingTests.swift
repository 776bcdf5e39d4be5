import Foundation
import Testing

@testable import TrunklineHTTP

/// Stands for a real cipher: keyed, and it notices changes.
struct XORSealer: DataSealer {
    var key: UInt8
    /// Makes each sealed form longer than the one before.
    var growth: Protected<Int>?

    private struct Refused: Error {}

    func seal(_ bytes: Data) throws -> Data {
        let sealed = Data(bytes.map { $0 ^ key })
        let extra = growth?.withLock { growth in
            growth += 1
            return growth
        }
        return sealed + tag(sealed) + Data(count: extra ?? 0)
    }

    func open(_ sealed: Data) throws -> Data {
        let bytes = sealed.dropLast(8)
        guard sealed.count >= 8, tag(bytes) == sealed.suffix(8) else { throw Refused() }
        return Data(bytes.map { $0 ^ key })
    }

    private func tag(_ bytes: Data) -> Data {
        let sum = bytes.withUnsafeBytes { Checksum.of($0, seed: UInt64(key)) }
        return withUnsafeBytes(of: sum.littleEndian) { Data($0) }
    }
}

@Suite("Sealed cache files")
struct CacheSealingTests {
    private let scratch = ScratchDirectory()
    private let key = CacheKey(identity: ["a"])

    private func store(_ sealer: (any DataSealer)?, inlineLimit: Int = 1_000_000) -> DiskCacheStore {
        DiskCacheStore(directory: scratch.url, inlineLimit: inlineLimit, sealer: sealer)
    }

    @Test(
        "An entry comes back whole, and nothing of it can be read in the file",
        arguments: [0, 1, 65_535, 65_536, 200_000])
    func roundTrip(size: Int) async throws {
        let text = "secret!" + String(repeating: "secret!", count: size / 7)
        var entry = cacheEntry(text, url: "https://secret.example/secret")
        entry.headers["X-Secret"] = "secret!"
        #expect(await store(XORSealer(key: 9)).store(entry, for: key) { true } == .stored)
        let bytes = try Data(contentsOf: scratch.url(of: try #require(scratch.files.first)))
        #expect(bytes.range(of: Data("secret".utf8)) == nil)
        #expect(await store(XORSealer(key: 9)).response(for: key) == entry)
        let left = try #require(await store(XORSealer(key: 9), inlineLimit: 0).response(for: key))
        #expect(try await left.body.contents() == Data(text.utf8))
    }

    @Test("Another key and no key are misses that leave the file; a file in the clear is removed")
    func wrongKey() async throws {
        #expect(await store(XORSealer(key: 9)).store(cacheEntry("x"), for: key) { true } == .stored)
        for sealer in [XORSealer(key: 8), nil] {
            let store = store(sealer)
            var events = store.events.makeAsyncIterator()
            #expect(await store.response(for: key) == nil)
            guard case .unsealable = await events.next() else {
                Issue.record("no event")
                return
            }
        }
        #expect(await store(XORSealer(key: 9)).response(for: key) != nil)
        #expect(await store(nil).store(cacheEntry("x"), for: key) { true } == .stored)
        #expect(await store(XORSealer(key: 9)).response(for: key) == nil)
        #expect(scratch.files.isEmpty)
    }

    @Test("Blocks that were exchanged behind sound checksums don't open")
    func exchanged() async throws {
        var entry = cacheEntry("")
        entry.body = .data(Data(repeating: 1, count: 65_536) + Data(repeating: 2, count: 65_536))
        #expect(await store(XORSealer(key: 9)).store(entry, for: key) { true } == .stored)
        let file = scratch.url(of: try #require(scratch.files.first))
        let good = [UInt8](try Data(contentsOf: file))
        let prelude = try #require(CacheEntryPrelude(good[...], fileLength: Int64(good.count)))
        let start = Int(prelude.bodyStart)
        let length = prelude.storedBlockLength
        let head = Array(good[CacheEntryPrelude.length..<(CacheEntryPrelude.length + prelude.headLength)])
        let blocks = [Array(good[start..<(start + length)]), Array(good[(start + length)..<(start + 2 * length)])]
        for order in [[0, 1], [1, 0], [0, 0]] {
            var table = ByteWriter()
            for block in order { table.fixed(Checksum.of(blocks[block])) }
            var forged = prelude
            forged.tableChecksum = Checksum.of(table.bytes)
            let bytes =
                forged.bytes(withHead: head) + head + Array(good[(CacheEntryPrelude.length + head.count)..<start])
                + order.flatMap { blocks[$0] } + table.bytes
            #expect((bytes == good) == (order == [0, 1]))
            try Data(bytes).write(to: file)
            let found = await store(XORSealer(key: 9)).response(for: key)
            #expect(found?.body == (order == [0, 1] ? entry.body : nil), "\(order)")
        }
    }

    @Test("A sealer whose forms grow, and one that throws, cost the entry and nothing else")
    func badSealers() async throws {
        struct Refusing: DataSealer {
            func seal(_ bytes: Data) throws -> Data { throw CocoaError(.featureUnsupported) }
            func open(_ sealed: Data) throws -> Data { throw CocoaError(.featureUnsupported) }
        }
        for sealer: any DataSealer in [XORSealer(key: 1, growth: Protected(0)), Refusing()] {
            let store = store(sealer)
            var events = store.events.makeAsyncIterator()
            var entry = cacheEntry("")
            entry.body = .data(Data(count: 200_000))
            #expect(await store.store(entry, for: key) { true } == .failed)
            guard case .sealingFailed = await events.next() else {
                Issue.record("no event")
                return
            }
            #expect(scratch.files.isEmpty)
        }
    }
}
