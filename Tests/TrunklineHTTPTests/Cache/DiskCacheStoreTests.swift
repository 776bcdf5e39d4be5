import Foundation
import Testing

@testable import TrunklineHTTP

@Suite("DiskCacheStore")
struct DiskCacheStoreTests {
    private let scratch = ScratchDirectory()

    private func key(_ number: Int, user: String? = nil) -> CacheKey {
        CacheKey(identity: ["\(number)"], partition: CachePartition(user: user))
    }

    private func put(_ store: DiskCacheStore, _ body: String, _ key: CacheKey) async throws -> CacheStoreOutcome {
        await store.store(cacheEntry(body), for: key) { true }
    }

    @Test("An entry survives in every field and byte, for a new store over the same directory")
    func persistence() async throws {
        let bodies = [0, 1, 3_900, 4_000, 4_096, 70_001].map { size in
            Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) })
        }
        let first = DiskCacheStore(directory: scratch.url)
        var entries: [CachedResponse] = []
        for (number, body) in bodies.enumerated() {
            let entry = CachedResponse(
                statusCode: 299, headers: ["A": "1", "a": "", "Set-Cookie": "é\u{FEFF}"], body: .data(body),
                requestMethod: .head, requestURL: try cacheURL("https://h/é?q=%20"), requestHeaders: ["accept": "x"],
                url: try cacheURL("https://other/"), requestedAt: Date(timeIntervalSinceReferenceDate: 1.000_000_1),
                storedAt: Date())
            entries.append(entry)
            #expect(await first.store(entry, for: key(number)) { true } == .stored)
        }
        let second = DiskCacheStore(directory: scratch.url)
        for (number, entry) in entries.enumerated() {
            #expect(await second.response(for: key(number)) == entry)
        }
        let usage = await second.usage()
        #expect(usage.entries == bodies.count)
        #expect(usage.bytes == scratch.bytes)
        #expect(usage.failures == 0 && usage.corruptions == 0)
    }

    @Test("Files and directories are for the owner only")
    func permissions() async throws {
        let store = DiskCacheStore(directory: scratch.url.appendingPathComponent("deep/er"))
        #expect(try await put(store, "x", key(1)) == .stored)
        let files = scratch.files
        #expect(files.count == 1)
        for file in files {
            let attributes = try FileManager.default.attributesOfItem(atPath: scratch.url(of: file).path)
            #expect(attributes[.posixPermissions] as? NSNumber == 0o600)
        }
        let folder = scratch.url(of: files.first ?? "").deletingLastPathComponent()
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path)
        #expect(attributes[.posixPermissions] as? NSNumber == 0o700)
    }

    @Test("Bytes and number of files stay within bounds, the least recently used go first")
    func eviction() async throws {
        let store = DiskCacheStore(directory: scratch.url, capacity: 40_000, entryLimit: 10, touchInterval: .zero)
        for number in 0..<10 { #expect(try await put(store, "\(number)", key(number)) == .stored) }
        #expect(await store.response(for: key(0)) != nil)
        #expect(try await put(store, "10", key(10)) == .stored)
        #expect(await store.response(for: key(0)) != nil)
        #expect(await store.response(for: key(1)) == nil)
        #expect(scratch.files.count == 10)

        var random = SeededRandom(seed: 5)
        for number in 0..<200 {
            let size = Int.random(in: 0..<9_000, using: &random)
            #expect(try await put(store, String(repeating: "x", count: size), key(number % 50)) == .stored)
            let usage = await store.usage()
            #expect(usage.bytes <= 40_000 && usage.entries <= 10)
        }
        #expect(scratch.bytes <= 40_000)
        #expect(await store.usage().bytes == scratch.bytes)
        #expect(try await put(store, String(repeating: "x", count: 10_001), key(1)) == .tooLarge)
        #expect(await store.response(for: key(1)) == nil)
    }

    @Test("After a restart the order of use is that of the files' times")
    func orderSurvives() async throws {
        let first = DiskCacheStore(directory: scratch.url)
        for number in 0..<4 { #expect(try await put(first, "\(number)", key(number)) == .stored) }
        for (number, age) in [300.0, 100, 400, 200].enumerated() {
            let path = scratch.url.path + "/" + CachePartition.shared.directoryName + "/" + key(number).fileName
            try FileManager.default.setAttributes(
                [.modificationDate: Date().addingTimeInterval(-age)], ofItemAtPath: path)
        }
        let second = DiskCacheStore(directory: scratch.url, entryLimit: 2)
        #expect(await second.usage().entries == 2)
        #expect(await second.usage().evictions == 2)
        #expect(await second.response(for: key(2)) == nil)
        #expect(await second.response(for: key(0)) == nil)
        #expect(await second.response(for: key(1)) != nil)
        #expect(await second.response(for: key(3)) != nil)
    }

    @Test("A hit renews the file's time, at most once an interval")
    func touching() async throws {
        let store = DiskCacheStore(directory: scratch.url, touchInterval: .seconds(60))
        _ = try await put(store, "x", key(1))
        let path = scratch.url(of: try #require(scratch.files.first)).path
        func modified() throws -> Double { try FileSystem.facts(at: path).modified }
        let now = Date().timeIntervalSince1970.rounded(.down)
        for (age, isTouched) in [(30.0, false), (120.0, true), (-7200, true)] {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: now - age)], ofItemAtPath: path)
            #expect(await store.response(for: key(1)) != nil)
            let renewed = try modified()
            #expect((abs(renewed - (now - age)) > 1) == isTouched)
        }
    }

    @Test("Clearing a partition removes its files and no others")
    func partitions() async throws {
        let store = DiskCacheStore(directory: scratch.url)
        for user in ["a", "b"] { _ = try await put(store, user, key(1, user: user)) }
        await store.removeAll(in: CachePartition(user: "a"))
        #expect(scratch.files == [CachePartition(user: "b").directoryName + "/" + key(1, user: "b").fileName])
        #expect(await store.response(for: key(1, user: "a")) == nil)
        #expect(await store.response(for: key(1, user: "b")) != nil)
        #expect(await store.usage().entries == 1)
        await store.removeAll()
        #expect(scratch.files.isEmpty)
        #expect(await store.usage() == CacheUsage())
    }

    @Test("What a killed writer left is removed, what a living one writes is not, and files of others are not touched")
    func leftovers() async throws {
        let folder = scratch.url.appendingPathComponent(CachePartition.shared.directoryName)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, age) in [("tmp-dead", 7.0), ("tmp-alive", 7200), ("tmp-new", 0), ("notes.txt", 7200)] {
            let url = folder.appendingPathComponent(name)
            try Data("x".utf8).write(to: url)
            try FileManager.default.setAttributes(
                [.modificationDate: Date().addingTimeInterval(-age)], ofItemAtPath: url.path)
        }
        let held = try FileSystem.openForReading(folder.path + "/tmp-alive")
        #expect(FileSystem.lock(held) == .locked)
        try Data("x".utf8).write(to: scratch.url.appendingPathComponent("mine.txt"))
        let store = DiskCacheStore(directory: scratch.url)
        var events = store.events.makeAsyncIterator()
        #expect(await store.usage().entries == 0)
        #expect(await store.usage().bytes == 2)
        #expect(await events.next() == .leftoversRemoved(count: 1))
        let names = Set(scratch.files.map { ($0 as NSString).lastPathComponent })
        #expect(names == ["tmp-alive", "tmp-new", "notes.txt", "mine.txt"])
        await store.removeAll()
        #expect(Set(scratch.files.map { ($0 as NSString).lastPathComponent }) == ["notes.txt", "mine.txt"])
    }

    @Test("An entry past the age limit is a miss, and one that nobody used for so long goes when room is made")
    func ageLimit() async throws {
        let store = DiskCacheStore(directory: scratch.url, ageLimit: .seconds(1000))
        let now = Date()
        for (number, age) in [(1, 500.0), (2, 1001)] {
            let entry = cacheEntry("x", at: now.addingTimeInterval(-age))
            #expect(await store.store(entry, for: key(number)) { true } == .stored)
        }
        #expect(await store.response(for: key(2)) == nil)
        #expect(await store.response(for: key(1)) != nil)
        let path = scratch.url(of: try #require(scratch.files.first)).path
        try FileManager.default.setAttributes([.modificationDate: now.addingTimeInterval(-1001)], ofItemAtPath: path)
        let second = DiskCacheStore(directory: scratch.url, ageLimit: .seconds(1000))
        #expect(await second.usage().entries == 0)
        #expect(scratch.files.isEmpty)
    }

    @Test("A directory that can't be written is a counted failure, and a miss")
    func unwritable() async throws {
        try Data("x".utf8).write(to: scratch.url)
        let store = DiskCacheStore(directory: scratch.url.appendingPathComponent("below-a-file"))
        #expect(try await put(store, "x", key(1)) == .failed)
        #expect(await store.response(for: key(1)) == nil)
        #expect(await store.usage().failures >= 1)
        await store.removeAll(in: .shared)
        await store.removeAll()
        let missing = DiskCacheStore(directory: URL(fileURLWithPath: "/proc/nowhere/cache"))
        #expect(try await put(missing, "x", key(1)) == .failed)
    }

    #if os(Linux)
        @Test("A write on a full disk fails with the system's reason")
        func fullDisk() {
            // /dev/full fails every write with ENOSPC.
            let file = FileSystem.Descriptor(raw: open("/dev/full", O_WRONLY))
            #expect(file.raw >= 0)
            var code: Int32 = 0
            do {
                try Data("x".utf8).withUnsafeBytes { try FileSystem.write(file, $0) }
            } catch {
                code = (error as? FileSystem.Failure)?.code ?? 0
            }
            #expect(code == ENOSPC)
        }
    #endif

    @Test("Something else in the file's place: directory, FIFO, symbolic link")
    func strangeFiles() async throws {
        let store = DiskCacheStore(directory: scratch.url)
        _ = try await put(store, "real", key(1))
        let path = scratch.url(of: try #require(scratch.files.first)).path
        let elsewhere = scratch.url.appendingPathComponent("elsewhere").path
        try FileManager.default.moveItem(atPath: path, toPath: elsewhere)

        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: elsewhere)
        #expect(await store.response(for: key(1)) == nil)
        #expect(FileManager.default.fileExists(atPath: elsewhere))

        #expect(mkfifo(path, 0o600) == 0)
        #expect(await store.response(for: key(1)) == nil)
        #expect(!FileManager.default.fileExists(atPath: path))

        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        #expect(await store.response(for: key(1)) == nil)
        #expect(try await put(store, "again", key(1)) == .failed)
        #expect(await store.response(for: key(1)) == nil)
    }

    @Test("The disk is waited for on threads of its own: blocked stores don't stop other tasks")
    func ownThreads() async throws {
        let gate = DispatchSemaphore(value: 0)
        let count = 16
        let opened = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<count {
                let store = DiskCacheStore(directory: scratch.url.appendingPathComponent("\(number)"))
                group.addTask {
                    let inTime = Protected(false)
                    _ = await store.store(cacheEntry("x"), for: key(1)) {
                        let isFirst = gate.wait(timeout: .now() + 20) == .success
                        if isFirst { gate.signal() }
                        inTime.withLock { $0 = isFirst }
                        return isFirst
                    }
                    return inTime.current
                }
            }
            // Runs only if the sixteen blocked stores have left it a thread.
            group.addTask {
                gate.signal()
                return true
            }
            return try await group.reduce(true) { $0 && $1 }
        }
        #expect(opened)
    }

    @Test("A store that is out of date at the last moment leaves the older entry and no file")
    func outdated() async throws {
        let store = DiskCacheStore(directory: scratch.url)
        _ = try await put(store, "old", key(1))
        let asked = Protected(0)
        let outcome = await store.store(cacheEntry("new"), for: key(1)) {
            asked.withLock { count in
                count += 1
                return count == 1
            }
        }
        #expect(outcome == .outdated)
        #expect(await store.response(for: key(1))?.body == .data(Data("old".utf8)))
        #expect(scratch.files.count == 1)
    }
}
