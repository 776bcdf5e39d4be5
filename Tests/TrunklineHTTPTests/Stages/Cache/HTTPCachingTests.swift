import Foundation
import TestSupport
import Testing

@testable import TrunklineHTTP

/// The stage under the policies that follow the server, over a stub origin.
@Suite("HTTP caching")
struct HTTPCachingTests {
    let clock = WallClock()
    let cache = ResponseCache()
    let flights = CacheFlights()

    func send(
        _ method: HTTPMethod = .get, _ url: String = "https://h/a", _ headers: HTTPHeaders = [:],
        policy: CachePolicy = .standard, _ transport: CountingTransport
    ) async throws -> HTTPResponse {
        let request = try cacheRequest(
            url, method, headers: headers, options: RequestOptions(cachePartition: CachePartition(user: "u")))
        let stage = CacheStage(cache: cache, defaultPolicy: policy, flights: flights) { [clock] in clock.now }
        return try await stage.intercept(Exchange(request: request), next: Next(transport: transport))
    }

    static func text(_ response: HTTPResponse) -> String { String(decoding: response.data, as: UTF8.self) }

    /// An origin with an entity tag, `"1"` at first: 304 to who has it.
    final class Entity: Sendable {
        let tag = Protected("\"1\"")
        let control: String
        let seen = Protected<[HTTPHeaders]>([])

        init(_ control: String = "max-age=10") { self.control = control }

        func transport() -> CountingTransport {
            CountingTransport { [self] exchange, call in
                let tag = tag.current
                seen.withLock { $0.append(exchange.request.headers) }
                let headers: HTTPHeaders = ["ETag": tag, "Cache-Control": control, "Call": "\(call)"]
                if exchange.request.headers["If-None-Match"] == tag {
                    return HTTPResponse(request: exchange.request, statusCode: 304, headers: headers)
                }
                return HTTPResponse(
                    request: exchange.request, statusCode: 200, headers: headers, body: .data(Data("body \(tag)".utf8)))
            }
        }
    }

    @Test("Fresh is a hit with its age, stale is asked about, and a 304 makes it fresh again")
    func lifeOfAnEntry() async throws {
        let entity = Entity()
        let transport = entity.transport()
        let first = try await send(transport)
        #expect(
            first.source == .network && first.cacheStatus?.forward == .uriMiss && first.cacheStatus?.isStored == true)
        clock.advance(by: 4)
        let second = try await send(transport)
        #expect(second.source == .cache(age: .seconds(4)) && second.headers["Age"] == "4")
        #expect(second.cacheStatus == CacheStatus(isHit: true, timeToLive: 6))
        clock.advance(by: 6)
        let third = try await send(transport)
        #expect(third.source == .revalidated(age: .zero) && third.statusCode == 200 && Self.text(third) == "body \"1\"")
        #expect(third.headers["Call"] == "2" && third.headers["Age"] == nil)
        #expect(third.cacheStatus?.forward == .stale && third.cacheStatus?.forwardStatus == 304)
        clock.advance(by: 9)
        #expect(try await send(transport).source == .cache(age: .seconds(9)))
        #expect(transport.count == 2)
        let statistics = await cache.statistics
        #expect(statistics.revalidations == 1 && statistics.hits >= 2)

        entity.tag.withLock { $0 = "\"2\"" }
        clock.advance(by: 5)
        #expect(Self.text(try await send(transport)) == "body \"2\"")
    }

    @Test("A 304 that speaks of another answer is not believed")
    func foreignNotModified() async throws {
        let transport = CountingTransport { exchange, call in
            let isAsked = exchange.request.headers.contains("If-None-Match")
            return HTTPResponse(
                request: exchange.request, statusCode: isAsked ? 304 : 200,
                headers: ["ETag": isAsked ? "\"other\"" : "\"1\"", "Cache-Control": "max-age=0"],
                body: .data(Data("answer \(call)".utf8)))
        }
        _ = try await send(transport)
        let second = try await send(transport)
        #expect(second.statusCode == 200 && Self.text(second) == "answer 3")
    }

    @Test("Variants are kept beside each other, and go together")
    func variants() async throws {
        let transport = CountingTransport { exchange, call in
            HTTPResponse(
                request: exchange.request, statusCode: 200,
                headers: [
                    "Vary": "Accept-Language", "Cache-Control": "max-age=100",
                    "Content-Language": exchange.request.headers["Accept-Language"] ?? "",
                ], body: .data(Data("\(call)".utf8)))
        }
        func get(_ language: String) async throws -> HTTPResponse {
            try await send(.get, "https://h/a", ["Accept-Language": language], transport)
        }
        #expect(Self.text(try await get("de")) == "1")
        #expect(try await get("en").cacheStatus?.forward == .varyMiss)
        #expect(Self.text(try await get("de")) == "1")
        #expect(Self.text(try await get("EN ")) == "2")
        // Content negotiation: the one language that is wanted most.
        #expect(Self.text(try await get("fr;q=0.5, de;q=0.9")) == "1")
        #expect(transport.count == 2)
        _ = try await send(.delete, "https://h/a", transport)
        #expect(Self.text(try await get("de")) == "4")
        #expect(Self.text(try await get("en")) == "5")
    }

    @Test("stale-while-revalidate: at once, asked once in the background, fresh afterwards")
    func staleWhileRevalidate() async throws {
        let entity = Entity("max-age=10, stale-while-revalidate=100")
        let transport = entity.transport()
        _ = try await send(transport)
        clock.advance(by: 50)
        for _ in 0..<20 {
            let response = try await send(transport)
            #expect(Self.text(response) == "body \"1\"")
        }
        #expect(await eventually { flights.refreshCount == 0 && transport.count >= 2 })
        #expect(transport.count == 2)
        #expect(try await send(transport).source == .cache(age: .zero))
        clock.advance(by: 500)
        #expect(try await send(transport).source == .revalidated(age: .zero))
    }

    @Test("A refresh outlives the caller's cancel and ends with the session")
    func refreshLife() async throws {
        let state = Protected((begun: 0, cancelled: 0))
        let gate = AsyncStream<Void>.makeStream()
        let transport = CountingTransport { exchange, call in
            if call > 1 {
                state.withLock { $0.begun += 1 }
                for await _ in gate.stream {}
                if Task.isCancelled { state.withLock { $0.cancelled += 1 } }
            }
            return HTTPResponse(
                request: exchange.request, statusCode: 200,
                headers: ["Cache-Control": "max-age=1, stale-while-revalidate=100"], body: .data(Data("\(call)".utf8)))
        }
        _ = try await send(transport)
        clock.advance(by: 5)
        let caller = Task { try await send(transport) }
        _ = try await caller.value
        caller.cancel()
        #expect(await eventually { state.current.begun == 1 })
        #expect(state.current.cancelled == 0 && flights.refreshCount == 1)
        flights.close()
        #expect(await eventually { state.current.cancelled == 1 && flights.refreshCount == 0 })
        _ = try await send(transport)
        #expect(flights.refreshCount == 0)
    }

    @Test("Many readers of a stale entry ask once")
    func singleRevalidation() async throws {
        let entity = Entity()
        let inner = entity.transport()
        let transport = CountingTransport { exchange, call in
            if call > 1 { try await Task.sleep(for: .milliseconds(200)) }
            return try await inner.send(exchange)
        }
        _ = try await send(transport)
        clock.advance(by: 11)
        let sources = try await withThrowingTaskGroup(of: HTTPResponse.self) { group in
            for _ in 0..<50 { group.addTask { try await send(transport) } }
            var collapsed = 0
            for try await response in group {
                #expect(Self.text(response) == "body \"1\"")
                if response.cacheStatus?.isCollapsed == true { collapsed += 1 }
            }
            return collapsed
        }
        #expect(transport.count == 2 && sources > 0)
    }

    @Test("When the one who asks is cancelled, the next one asks")
    func leaderCancelled() async throws {
        let entity = Entity()
        let inner = entity.transport()
        let transport = CountingTransport { exchange, call in
            if call == 2 { try await Task.sleep(for: .seconds(60)) }
            return try await inner.send(exchange)
        }
        _ = try await send(transport)
        clock.advance(by: 11)
        let leader = Task { try await send(transport) }
        #expect(await eventually { transport.count == 2 })
        let followers = (0..<5).map { _ in Task { try await send(transport) } }
        leader.cancel()
        for follower in followers { #expect(Self.text(try await follower.value) == "body \"1\"") }
        await #expect(throws: (any Error).self) { try await leader.value }
        #expect(transport.count <= 8)
    }
}

extension HTTPCachingTests {
    func send(policy: CachePolicy = .standard, _ transport: CountingTransport) async throws -> HTTPResponse {
        try await send(.get, "https://h/a", [:], policy: policy, transport)
    }

    func send(_ method: HTTPMethod, _ url: String, _ transport: CountingTransport) async throws -> HTTPResponse {
        try await send(method, url, [:], policy: .standard, transport)
    }
}
