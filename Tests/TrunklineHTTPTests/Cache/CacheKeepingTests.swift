import Foundation
import Testing

@testable import TrunklineHTTP

/// Answers stored while they are delivered.
@Suite("ResponseCache.keep")
struct CacheKeepingTests {
    private let scratch = ScratchDirectory()
    private let key = CacheKey(identity: ["a"])

    private struct Cut: Error {}

    private func pieces(_ count: Int, of size: Int = 100_000) -> [Data] {
        (0..<count).map { number in
            Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8 ^ number) })
        }
    }

    /// A stream of the pieces that counts how many were asked for, and ends with the error.
    private func answer(
        _ pieces: [Data], error: (any Error)? = nil, headers: HTTPHeaders = [:], asked: Protected<Int> = Protected(0)
    ) throws -> HTTPResponse {
        HTTPResponse(
            request: try cacheRequest("https://h/a"), statusCode: 200, headers: headers,
            body: .stream(
                ResponseBody.Chunks {
                    let number = asked.withLock { asked in
                        defer { asked += 1 }
                        return asked
                    }
                    if number < pieces.count { return pieces[number] }
                    if let error { throw error }
                    return nil
                }))
    }

    private func head(_ response: HTTPResponse) -> CachedResponse {
        CachedResponse(head: response, to: response.request, requestedAt: Date(), storedAt: Date())
    }

    private func read(_ response: HTTPResponse, upTo limit: Int = .max) async throws -> Data {
        guard case .stream(let chunks) = response.body else { return response.data }
        var content = Data()
        var count = 0
        for try await chunk in chunks {
            content.append(chunk)
            count += 1
            if count == limit { break }
        }
        return content
    }

    private func diskCache(capacity: Int = 100_000_000) -> ResponseCache {
        ResponseCache(disk: DiskCacheStore(directory: scratch.url, capacity: capacity))
    }

    @Test(
        "A stream is stored as it passes, whatever its length, and comes back in every delivery",
        arguments: [0, 1, 3, 30])
    func streams(count: Int) async throws {
        let pieces = pieces(count)
        let whole = pieces.reduce(Data(), +)
        let cache = diskCache()
        let asked = Protected(0)
        let kept = cache.keep(
            try answer(pieces, asked: asked), as: head(try answer(pieces)), for: key)
        #expect(asked.current == 0)
        #expect(await cache.response(for: key) == nil)
        #expect(try await read(kept) == whole)
        #expect(asked.current == count + 1)
        await cache.flush()
        for cache in [cache, diskCache()] {
            let entry = try #require(await cache.response(for: key))
            #expect(entry.body.count == Int64(whole.count))
            if count == 30 { #expect(entry.body.data == nil) } else { #expect(entry.body.data != nil) }
            var request = try cacheRequest("https://h/a")
            #expect(try await entry.response(to: request, now: Date()).data == whole)
            request.options.delivery = .stream
            #expect(try await read(try await entry.response(to: request, now: Date())) == whole)
            let target = scratch.url.appendingPathComponent("target")
            request.options.delivery = .file(target)
            guard case .file(target) = try await entry.response(to: request, now: Date()).body else {
                Issue.record("not in the file")
                return
            }
            #expect(try Data(contentsOf: target) == whole)
        }
        #expect(scratch.files.allSatisfy { !$0.contains("tmp-") })
        #expect(await cache.statistics.stores == 1)
    }

    @Test("The consumer sets the pace: nothing is asked for before he asks")
    func backpressure() async throws {
        let pieces = pieces(40)
        let asked = Protected(0)
        let kept = diskCache().keep(try answer(pieces, asked: asked), as: head(try answer(pieces)), for: key)
        guard case .stream(let chunks) = kept.body else { return }
        var iterator = chunks.makeAsyncIterator()
        for number in 1...40 {
            #expect(try await iterator.next() == pieces[number - 1])
            #expect(asked.current == number)
        }
        #expect(try await iterator.next() == nil)
    }

    @Test("A stream that fails, is let go or ends too early is not stored, and leaves no file", arguments: [2, 30])
    func cutShort(count: Int) async throws {
        let pieces = pieces(count)
        let cache = diskCache()
        await cache.store(cacheEntry("old"), for: key)
        let failing = try answer(pieces, error: Cut())
        await #expect(throws: Cut.self) { try await read(cache.keep(failing, as: head(failing), for: key)) }
        let short = try answer(pieces, headers: ["Content-Length": "\(count * 100_000 + 1)"])
        #expect(try await read(cache.keep(short, as: head(short), for: key)).count == count * 100_000)
        let left = try answer(pieces)
        _ = try await read(cache.keep(left, as: head(left), for: key), upTo: count - 1)
        let unread = try answer(pieces)
        _ = cache.keep(unread, as: head(unread), for: key)
        #expect(await eventually { scratch.files.count == 1 })
        await cache.flush()
        let found = await cache.response(for: key)
        #expect(found?.body == .data(Data("old".utf8)))
        #expect(scratch.files.count == 1)
    }

    @Test("A stream whose task is cancelled is not stored")
    func cancelled() async throws {
        let cache = diskCache()
        let pieces = pieces(30)
        let reached = Protected(false)
        let response = HTTPResponse(
            request: try cacheRequest("https://h/a"), statusCode: 200,
            body: .stream(
                ResponseBody.Chunks {
                    guard reached.current else {
                        reached.withLock { $0 = true }
                        return pieces.reduce(Data(), +)
                    }
                    // Ends as a cancelled stream does.
                    while !Task.isCancelled { await Task.yield() }
                    return nil
                }))
        let kept = cache.keep(response, as: head(response), for: key)
        let reader = Task { try await read(kept) }
        #expect(await eventually { reached.current })
        reader.cancel()
        _ = try? await reader.value
        #expect(await eventually { scratch.files.isEmpty })
        #expect(await cache.response(for: key) == nil)
    }

    @Test("The first bytes are kept where the caller gives an entry for them", arguments: [2, 30])
    func partial(count: Int) async throws {
        for isFailing in [true, false] {
            let cache = diskCache()
            let answer = try answer(pieces(count), error: isFailing ? Cut() : nil)
            let entry = head(answer)
            func kept() -> HTTPResponse {
                cache.keep(answer, as: entry, for: key) { received in
                    var partial = entry
                    partial.headers["X-Received"] = "\(received)"
                    return partial
                }
            }
            _ = try? await read(kept(), upTo: isFailing ? .max : count)
            #expect(await soon { await cache.response(for: key) != nil })
            await cache.flush()
            let found = try #require(await diskCache().response(for: key))
            #expect(found.headers["X-Received"] == "\(count * 100_000)")
            #expect(try await found.body.contents() == pieces(count).reduce(Data(), +))
            await cache.removeAll()
        }
    }

    @Test("A download is copied in the background; one that is written to meanwhile is not")
    func files() async throws {
        for size in [10, 2_000_000] {
            let cache = diskCache()
            let content = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7 ^ $0 >> 9) })
            let place = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            try content.write(to: place)
            defer { try? FileManager.default.removeItem(at: place) }
            let response = HTTPResponse(
                request: try cacheRequest("https://h/a"), statusCode: 200, headers: ["Content-Length": "\(size)"],
                body: .file(place))
            guard case .file(place) = cache.keep(response, as: head(response), for: key).body else { return }
            // Its own place may be taken from it.
            let moved = place.appendingPathExtension("moved")
            try FileManager.default.moveItem(at: place, to: moved)
            await cache.flush()
            #expect(try await diskCache().response(for: key)?.body.contents() == content)
            try FileManager.default.moveItem(at: moved, to: place)
            await cache.removeAll()

            var short = response
            short.headers["Content-Length"] = "\(size + 1)"
            _ = cache.keep(short, as: head(short), for: key)
            await cache.flush()
            #expect(await cache.response(for: key) == nil)
        }
    }

    @Test("A ticket that ends while the stream is read ends the store with it", arguments: [2, 30])
    func ticket(count: Int) async throws {
        let cache = diskCache()
        let answer = try answer(pieces(count))
        let kept = cache.keep(answer, as: head(answer), for: key)
        guard case .stream(let chunks) = kept.body else { return }
        var iterator = chunks.makeAsyncIterator()
        for _ in 0..<count { _ = try await iterator.next() }
        await cache.clear(partition: .shared)
        #expect(try await iterator.next() == nil)
        await cache.flush()
        #expect(await cache.response(for: key) == nil)
        #expect(scratch.files.isEmpty)
        #expect(await cache.statistics.refusals == 1)
    }

    @Test("What is too large for the tiers passes by and takes the older entry with it")
    func tooLarge() async throws {
        let pieces = pieces(30)
        for cache in [ResponseCache(), diskCache(capacity: 8_000_000)] {
            for headers: HTTPHeaders in [[:], ["Content-Length": "3000000"]] {
                let isKept = cache.disk == nil
                await cache.store(cacheEntry("old"), for: key)
                let answer = try answer(pieces, headers: headers)
                #expect(try await read(cache.keep(answer, as: head(answer), for: key)) == pieces.reduce(Data(), +))
                await cache.flush()
                let found = await cache.response(for: key)
                #expect(found?.body.count == (isKept ? 3_000_000 : nil), "\(headers)")
            }
        }
        #expect(scratch.files.isEmpty)
    }

    @Test("The disk is full, or gone: the stream goes on, and the store has an event")
    func failingDisk() async throws {
        let pieces = pieces(30)
        let cache = ResponseCache(disk: DiskCacheStore(directory: URL(fileURLWithPath: "/proc/nowhere")))
        var events = cache.events.makeAsyncIterator()
        let answer = try answer(pieces)
        #expect(try await read(cache.keep(answer, as: head(answer), for: key)) == pieces.reduce(Data(), +))
        guard case .systemFailed = await events.next() else {
            Issue.record("no event")
            return
        }
        #expect(await cache.statistics.failures >= 1)
    }
}
