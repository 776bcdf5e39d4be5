import Foundation
import Testing

@testable import TrunklineHTTP

@Suite("Damaged cache files")
struct CacheCorruptionTests {
    private let scratch = ScratchDirectory()
    private static let rounds = max(2_000, FuzzRounds.count(full: 100_000))

    /// A store with one entry, the entry, and its file.
    private func sample(bodySize: Int) async throws -> (DiskCacheStore, CacheKey, CachedResponse, URL) {
        let store = DiskCacheStore(directory: scratch.url)
        let key = CacheKey(request: try cacheRequest("https://example.com/list?page=1"))
        let entry = CachedResponse(
            statusCode: 200, headers: ["Content-Type": "application/json", "Set-Cookie": "a=b"],
            body: .data(Data((0..<bodySize).map { UInt8(truncatingIfNeeded: $0) })),
            requestURL: try cacheURL("https://example.com/list?page=1"), requestHeaders: ["accept": "x"],
            storedAt: Date(timeIntervalSince1970: 1_700_000_000))
        #expect(await store.store(entry, for: key) { true } == .stored)
        return (store, key, entry, scratch.url(of: try #require(scratch.files.first)))
    }

    @Test("Every flipped bit and every truncation is a miss, and the file is removed")
    func bitsAndTruncationsFuzz() async throws {
        try await HeavyWork.run { (_: isolated OwnThread) in
            let (store, key, entry, file) = try await sample(bodySize: 40)
            let good = [UInt8](try Data(contentsOf: file))
            for bit in stride(from: 0, to: good.count * 8, by: FuzzRounds.stride) {
                var bytes = good
                bytes[bit / 8] ^= 1 << UInt8(bit % 8)
                try Data(bytes).write(to: file)
                #expect(await store.response(for: key) == nil, "bit \(bit)")
                #expect(!FileManager.default.fileExists(atPath: file.path))
            }
            for length in stride(from: 0, to: good.count, by: FuzzRounds.stride) {
                try Data(good.prefix(length)).write(to: file)
                #expect(await store.response(for: key) == nil, "length \(length)")
            }
            try Data(good + [0]).write(to: file)
            #expect(await store.response(for: key) == nil)
            try Data(good).write(to: file)
            #expect(await store.response(for: key) == entry)
        }
    }

    /// The file as it is read by a store, without its queues: both ways must say the same.
    private func read(_ path: String, _ key: CacheKey) -> CachedResponse? {
        let options = CacheEntryFile.Options(limit: 1_000_000, inlineLimit: 1_000_000)
        let quick = CacheEntryFile.readCached(path, for: key, options, touchInterval: 60) { _ in }
        let reading = CacheEntryFile.read(path, for: key, options, touchInterval: 60) { _ in }
        guard case .entry(let entry) = reading else {
            if case .entry = quick { Issue.record("an entry that is none") }
            return nil
        }
        if case .entry(let other) = quick { #expect(other == entry) }
        return entry
    }

    @Test("Damaged files never give wrong bytes")
    func damageFuzz() async throws {
        try await HeavyWork.run { (_: isolated OwnThread) in
            let (store, key, entry, file) = try await sample(bodySize: 600)
            let good = [UInt8](try Data(contentsOf: file))
            var random = SeededRandom(seed: 2024)
            var (unchanged, asked) = (0, 0)
            let rounds = CacheCorruptionTests.rounds
            for round in 0..<rounds {
                let bytes = mutated(good, using: &random)
                try Data(bytes).write(to: file)
                let found: CachedResponse?
                if round.isMultiple(of: 50) {
                    found = await store.response(for: key)
                    if bytes != good { asked += 1 }
                } else {
                    found = read(file.path, key)
                }
                if bytes == good { unchanged += 1 } else { #expect(found == nil, "round \(round)") }
                if let found { #expect(found == entry) }
            }
            #expect(unchanged < rounds / 10)
            #expect(await store.usage().corruptions == asked)
        }
    }

    @Test("Damaged heads with sound checksums never trap and never come with another body")
    func damageBehindChecksumFuzz() async throws {
        try await HeavyWork.run { (_: isolated OwnThread) in
            let (_, key, entry, file) = try await sample(bodySize: 100)
            let good = [UInt8](try Data(contentsOf: file))
            let headEnd = good.count - 100 - 8
            var random = SeededRandom(seed: 77)
            for _ in 0..<CacheCorruptionTests.rounds / 4 {
                let head = mutated(Array(good[CacheEntryPrelude.length..<headEnd]), using: &random)
                var prelude = Array(good.prefix(CacheEntryPrelude.length - 8))
                let length = UInt32(head.count)
                for index in 0..<8 {
                    prelude[16 + index] = UInt8(truncatingIfNeeded: length >> UInt32(8 * (index & 3)))
                }
                var checksum = ByteWriter()
                checksum.fixed(Checksum.of(head, seed: Checksum.of(prelude)))
                try Data(prelude + checksum.bytes + head + good[headEnd...]).write(to: file)
                if let found = read(file.path, key) { #expect(found.body == entry.body) }
            }
        }
    }

    @Test(
        "Damage anywhere in a long entry never gives wrong bytes: an error at the latest where it is, and the entry goes"
    )
    func damagedStreamsFuzz() async throws {
        try await HeavyWork.run { (_: isolated OwnThread) in
            let store = DiskCacheStore(directory: scratch.url, inlineLimit: 100)
            let key = CacheKey(identity: ["a"])
            let content = Data((0..<140_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) })
            var entry = cacheEntry("")
            entry.body = .data(content)
            #expect(await store.store(entry, for: key) { true } == .stored)
            let file = scratch.url(of: try #require(scratch.files.first))
            let good = [UInt8](try Data(contentsOf: file))
            var random = SeededRandom(seed: 11)
            for round in 0..<CacheCorruptionTests.rounds / 40 {
                let bytes = mutated(good, using: &random)
                try Data(bytes).write(to: file)
                guard let found = await store.response(for: key) else { continue }
                var read = Data()
                do {
                    for try await chunk in found.body.chunks() { read.append(chunk) }
                    #expect(read == content, "round \(round)")
                } catch {
                    #expect(content.prefix(read.count) == read && bytes != good, "round \(round)")
                    #expect(await eventually { !FileManager.default.fileExists(atPath: file.path) })
                }
            }
        }
    }

    @Test("The file of another key is a miss")
    func wrongKey() async throws {
        let (store, key, _, file) = try await sample(bodySize: 10)
        let other = CacheKey(request: try cacheRequest("https://example.com/list?page=2"))
        try FileManager.default.moveItem(
            at: file, to: file.deletingLastPathComponent().appendingPathComponent(other.fileName))
        #expect(await store.response(for: other) == nil)
        #expect(await store.response(for: key) == nil)
        #expect(scratch.files.isEmpty)
    }

    @Test("Huge lengths are not believed")
    func hugeLengths() async throws {
        let (store, key, _, file) = try await sample(bodySize: 10)
        let good = [UInt8](try Data(contentsOf: file))
        for range in [16..<20, 20..<24, 16..<24, 24..<28, 28..<32, 24..<32, 32..<40, 16..<40, 64..<76] {
            for value: UInt8 in [0xFF, 0x7F, 0x80] {
                var bytes = good
                for index in range { bytes[index] = value }
                try Data(bytes).write(to: file)
                #expect(await store.response(for: key) == nil)
            }
        }
    }

    private func mutated(_ good: [UInt8], using random: inout SeededRandom) -> [UInt8] {
        var bytes = good
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            guard !bytes.isEmpty else { break }
            let at = Int.random(in: 0..<bytes.count, using: &random)
            let to = Int.random(in: at...min(bytes.count, at + 64), using: &random)
            switch Int.random(in: 0..<7, using: &random) {
            case 0: bytes[at] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 1: bytes[at] = UInt8.random(in: 0...255, using: &random)
            case 2: bytes.removeSubrange(at...)
            case 3: bytes.removeSubrange(at..<to)
            case 4: bytes.insert(contentsOf: (at..<to).map { _ in UInt8.random(in: 0...255, using: &random) }, at: at)
            case 5: for index in at..<to { bytes[index] = [0, 0xFF].randomElement(using: &random) ?? 0 }
            default: bytes.insert(contentsOf: bytes[at..<to], at: Int.random(in: 0...bytes.count, using: &random))
            }
        }
        return bytes
    }
}
