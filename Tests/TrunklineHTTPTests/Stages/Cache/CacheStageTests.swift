import Foundation
import Testing

@testable import TrunklineHTTP

/// Answers by a closure and counts.
final class CountingTransport: Transport {
    let capabilities = TransportCapabilities(name: "counting")
    private let calls = Protected(0)
    private let answer: @Sendable (Exchange, Int) async throws -> HTTPResponse

    init(_ answer: @escaping @Sendable (Exchange, Int) async throws -> HTTPResponse) { self.answer = answer }

    /// Answers `"answer N"` to the N-th request.
    convenience init() {
        self.init { exchange, call in
            HTTPResponse(request: exchange.request, statusCode: 200, body: .data(Data("answer \(call)".utf8)))
        }
    }

    var count: Int { calls.current }

    func send(_ exchange: Exchange) async throws -> HTTPResponse {
        let call = calls.withLock { count in
            count += 1
            return count
        }
        return try await answer(exchange, call)
    }

    func invalidate() {}
}

/// A wall clock that a test turns.
final class WallClock: Sendable {
    private let time = Protected(Date(timeIntervalSince1970: 1_700_000_000))

    var now: Date { time.current }

    func advance(by seconds: Double) { time.withLock { $0.addTimeInterval(seconds) } }
}

@Suite("CacheStage")
struct CacheStageTests {
    private let clock = WallClock()
    private let cache = ResponseCache()

    private func send(
        _ request: HTTPRequest, _ transport: any Transport, ignoring ignored: Set<String> = [],
        default defaultPolicy: CachePolicy = .networkOnly
    ) async throws -> HTTPResponse {
        let stage = CacheStage(cache: cache, defaultPolicy: defaultPolicy, ignoring: ignored) { [clock] in clock.now }
        return try await stage.intercept(Exchange(request: request), next: Next(transport: transport))
    }

    private func get(
        _ policy: CachePolicy?, _ transport: any Transport, url: String = "https://h/a", method: HTTPMethod = .get,
        user: String? = nil, headers: HTTPHeaders = [:], delivery: BodyDelivery = .data, key: CacheKey? = nil
    ) async throws -> String {
        let options = RequestOptions(
            cache: policy, cachePartition: CachePartition(user: user), cacheKey: key, delivery: delivery)
        let response = try await send(
            try cacheRequest(url, method, headers: headers, options: options), transport)
        return String(decoding: response.data, as: UTF8.self)
    }

    @Test("cacheFirst asks once within the age, and again after")
    func cacheFirst() async throws {
        let transport = CountingTransport()
        let policy = CachePolicy.cacheFirst(maxAge: .seconds(60))
        #expect(try await get(policy, transport) == "answer 1")
        clock.advance(by: 59)
        #expect(try await get(policy, transport) == "answer 1")
        clock.advance(by: 1)
        #expect(try await get(policy, transport) == "answer 2")
        clock.advance(by: -3600)
        #expect(try await get(policy, transport) == "answer 3")
        #expect(transport.count == 3)
    }

    @Test("A hit tells its age, and is the first request's bytes")
    func source() async throws {
        let transport = CountingTransport()
        let request = try cacheRequest(
            "https://h/a", options: RequestOptions(cache: .cacheFirst(maxAge: .seconds(60))))
        #expect(try await send(request, transport).source == .network)
        clock.advance(by: 7)
        #expect(try await send(request, transport).source == .cache(age: .seconds(7)))
    }

    @Test("Adding a parameter to every request doesn't keep the second load from hitting; a volatile one neither")
    func serviceParameters() async throws {
        let transport = CountingTransport()
        let options = RequestOptions(cache: .cacheFirst(maxAge: .seconds(60)))
        for stamp in 1...2 {
            let request = try cacheRequest("https://h/list?a=1&token_v=3&ts=\(stamp)", options: options)
            _ = try await send(request, transport, ignoring: ["ts"])
        }
        #expect(transport.count == 1)
    }

    @Test("none stores nothing, reload always asks and stores, cacheOnly never asks")
    func otherPolicies() async throws {
        let transport = CountingTransport()
        #expect(try await get(CachePolicy.networkOnly, transport) == "answer 1")
        await #expect { try await get(.cacheOnly, transport) } throws: { error in
            if case HTTPError.notInCache = error { true } else { false }
        }
        #expect(try await get(.reload, transport) == "answer 2")
        #expect(try await get(.reload, transport) == "answer 3")
        clock.advance(by: 1e7)
        #expect(try await get(.cacheOnly, transport) == "answer 3")
        #expect(try await get(nil, transport) == "answer 4")
        #expect(try await get(.cacheOnly, transport) == "answer 3")
    }

    @Test("The stage's policy is that of requests without one")
    func defaultPolicy() async throws {
        let transport = CountingTransport()
        for _ in 0..<3 {
            _ = try await send(
                try cacheRequest("https://h/a"), transport, default: .cacheFirst(maxAge: .seconds(9)))
        }
        #expect(transport.count == 1)
    }

    @Test(
        "A mutation always goes to the server, whatever the policy",
        arguments: [CachePolicy.reload, .cacheFirst(maxAge: .seconds(60)), .networkFirst, .cacheOnly])
    func mutations(policy: CachePolicy) async throws {
        let transport = CountingTransport()
        let methods: [HTTPMethod] = [.post, .put, .patch, .delete, "PURGE"]
        for method in methods + methods { _ = try await get(policy, transport, method: method) }
        #expect(transport.count == 10)
        #expect(await cache.statistics.stores == 0)
    }

    @Test("A POST with a key of the caller's is stored; a PUT is not")
    func explicitKey() async throws {
        let transport = CountingTransport()
        let key = CacheKey(identity: ["search"], parameters: ["q": "x"])
        let policy = CachePolicy.cacheFirst(maxAge: .seconds(60))
        for _ in 0..<2 { #expect(try await get(policy, transport, method: .post, key: key) == "answer 1") }
        _ = try await get(policy, transport, method: .put, key: key)
        _ = try await get(policy, transport, method: .put, key: key)
        #expect(transport.count == 3)
    }

    @Test("networkFirst asks, and falls back on any age when the network fails")
    func networkFirst() async throws {
        let transport = CountingTransport()
        #expect(try await get(.networkFirst, transport) == "answer 1")
        #expect(try await get(.networkFirst, transport) == "answer 2")
        clock.advance(by: 1e8)
        let offline = CountingTransport { _, _ in throw HTTPError.offline }
        #expect(try await get(.networkFirst, offline) == "answer 2")
        await #expect(throws: HTTPError.self) { try await get(.networkFirst, offline, url: "https://h/other") }
    }

    @Test("networkFirst doesn't fall back on a cancellation, an answer of the server, or another error")
    func noFallback() async throws {
        _ = try await get(.networkFirst, CountingTransport())
        for error in [HTTPError.cancelled, .sessionInvalidated, .tls(TLSFailure(reason: .pinMismatch, detail: ""))] {
            await #expect(throws: HTTPError.self) {
                try await get(.networkFirst, CountingTransport { _, _ in throw error })
            }
        }
        await #expect(throws: CancellationError.self) {
            try await get(.networkFirst, CountingTransport { _, _ in throw CancellationError() })
        }
        let refusing = CountingTransport { exchange, _ in
            HTTPResponse(request: exchange.request, statusCode: 403, body: .data(Data("no".utf8)))
        }
        #expect(try await get(.networkFirst, refusing) == "no")
    }

    @Test("A truncated answer is not stored")
    func truncated() async throws {
        let cut = CountingTransport { exchange, _ in
            let part = HTTPResponse(request: exchange.request, statusCode: 200, body: .data(Data("{}".utf8)))
            throw HTTPError.connectionLost(ConnectionLoss(stage: .duringBody, reason: "cut", response: part))
        }
        for policy in [CachePolicy.reload, .networkFirst, .cacheFirst(maxAge: .seconds(60))] {
            await #expect(throws: HTTPError.self) { try await get(policy, cut) }
        }
        await #expect(throws: HTTPError.self) { try await get(.cacheOnly, cut) }
        #expect(await cache.statistics.stores == 0)
    }

    @Test("Errors of the server are not stored; word that a resource is gone removes the entry")
    func statuses() async throws {
        func answering(_ status: Int) -> CountingTransport {
            CountingTransport { exchange, _ in HTTPResponse(request: exchange.request, statusCode: status) }
        }
        _ = try await get(.reload, CountingTransport())
        for status in [206, 301, 304, 400, 401, 403, 429, 500, 503] { _ = try await get(.reload, answering(status)) }
        #expect(try await get(.cacheOnly, CountingTransport()) == "answer 1")
        for status in [404, 410] {
            _ = try await get(.reload, CountingTransport())
            _ = try await get(.reload, answering(status))
            await #expect(throws: HTTPError.self) { try await get(.cacheOnly, CountingTransport()) }
        }
    }

    @Test("What Vary names is part of the question")
    func vary() async throws {
        let transport = CountingTransport { exchange, _ in
            let language = exchange.request.headers["Accept-Language"] ?? "none"
            return HTTPResponse(
                request: exchange.request, statusCode: 200, headers: ["Vary": "accept-language"],
                body: .data(Data(language.utf8)))
        }
        let policy = CachePolicy.cacheFirst(maxAge: .seconds(60))
        #expect(try await get(policy, transport, headers: ["Accept-Language": "de"]) == "de")
        #expect(try await get(policy, transport, headers: ["Accept-Language": "de"]) == "de")
        #expect(transport.count == 1)
        #expect(try await get(policy, transport, headers: ["Accept-Language": "en"]) == "en")
        #expect(try await get(policy, transport) == "none")
        #expect(transport.count == 3)
    }

    @Test("Ranges and the caller's own conditions pass through unstored, and cacheOnly refuses them")
    func passThrough() async throws {
        _ = try await get(.reload, CountingTransport())
        let transport = CountingTransport()
        let policy = CachePolicy.cacheFirst(maxAge: .seconds(60))
        #expect(try await get(policy, transport, headers: ["Range": "bytes=0-1"]) == "answer 1")
        #expect(try await get(policy, transport, headers: ["If-None-Match": "\"a\""]) == "answer 2")
        await #expect(throws: HTTPError.self) {
            try await get(.cacheOnly, transport, headers: ["Range": "bytes=0-1"])
        }
        #expect(await cache.statistics.stores == 1)
    }

    @Test("A stored answer is delivered as a stream and as a file, too")
    func deliveries() async throws {
        _ = try await get(.reload, CountingTransport())
        let transport = CountingTransport()
        var request = try cacheRequest("https://h/a", options: RequestOptions(cache: .cacheOnly, delivery: .stream))
        guard case .stream(let chunks) = try await send(request, transport).body else {
            Issue.record("no stream")
            return
        }
        var content = Data()
        for try await chunk in chunks { content += chunk }
        #expect(String(decoding: content, as: UTF8.self) == "answer 1")

        let file = FileManager.default.temporaryDirectory.appendingPathComponent("trunkline-" + UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        request.options.delivery = .file(file)
        _ = try await send(request, transport)
        #expect(try String(contentsOf: file, encoding: .utf8) == "answer 1")
        #expect(transport.count == 0)
    }

    @Test("Two users: the second one's load reaches the server")
    func users() async throws {
        let transport = CountingTransport()
        let policy = CachePolicy.cacheFirst(maxAge: .seconds(60))
        #expect(try await get(policy, transport, user: "A") == "answer 1")
        #expect(try await get(policy, transport, user: "B") == "answer 2")
        #expect(try await get(policy, transport, user: "A") == "answer 1")
        await cache.clear(partition: CachePartition(user: "A"))
        #expect(try await get(policy, transport, user: "A") == "answer 3")
        #expect(try await get(policy, transport, user: "B") == "answer 2")
    }

    @Test("A slow answer to a user who has logged out meanwhile is not stored")
    func slowAnswerAfterLogout() async throws {
        let user = CachePartition(user: "A")
        let slow = CountingTransport { [cache] exchange, _ in
            await cache.clear(partition: user)  // the user logs out while the request is in flight
            return HTTPResponse(request: exchange.request, statusCode: 200, body: .data(Data("A's".utf8)))
        }
        _ = try await get(.reload, slow, user: "A")
        #expect(await cache.statistics.refusals == 1)
        await #expect(throws: HTTPError.self) { try await get(.cacheOnly, slow, user: "A") }
    }

    @Test("Credentials put in below the cache are not mixed up where nobody named a user")
    func credentialsBelow() async throws {
        let transport = CountingTransport { exchange, call in
            var sent = exchange.request
            sent.headers["Authorization"] = "Bearer \(call)"
            return HTTPResponse(request: sent, statusCode: 200, body: .data(Data("user \(call)".utf8)))
        }
        let policy = CachePolicy.cacheFirst(maxAge: .seconds(60))
        #expect(try await get(policy, transport) == "user 1")
        #expect(try await get(policy, transport) == "user 2")
        #expect(try await get(policy, transport, user: "u") == "user 3")
        #expect(try await get(policy, transport, user: "u") == "user 3")
    }
}
