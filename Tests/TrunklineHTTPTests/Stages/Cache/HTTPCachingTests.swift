import Foundation
import TestSupport
import Testing

@testable import TrunklineHTTP

/// The stage under the policies that follow the server, over a stub origin.
@Suite("HTTP caching")
struct HTTPCachingTests {
    private let clock = WallClock()
    private let cache = ResponseCache()
    private let flights = CacheFlights()

    private func send(
        _ method: HTTPMethod = .get, _ url: String = "https://h/a", _ headers: HTTPHeaders = [:],
        policy: CachePolicy = .standard, _ transport: CountingTransport
    ) async throws -> HTTPResponse {
        let request = try cacheRequest(
            url, method, headers: headers, options: RequestOptions(cachePartition: CachePartition(user: "u")))
        let stage = CacheStage(cache: cache, defaultPolicy: policy, flights: flights) { [clock] in clock.now }
        return try await stage.intercept(Exchange(request: request), next: Next(transport: transport))
    }

    private static func text(_ response: HTTPResponse) -> String { String(decoding: response.data, as: UTF8.self) }

    /// An origin with an entity tag, `"1"` at first: 304 to who has it.
    private final class Entity: Sendable {
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

    @Test("stale-if-error: for a failed network and for 503, as the server or the policy allows")
    func staleIfError() async throws {
        let fails = Protected<Int?>(nil)
        let transport = CountingTransport { exchange, _ in
            if let status = fails.current {
                guard status > 0 else { throw HTTPError.offline }
                return HTTPResponse(request: exchange.request, statusCode: status, body: .data(Data("sorry".utf8)))
            }
            let control = exchange.request.url.path == "/sie" ? "max-age=1, stale-if-error=100" : "max-age=1"
            return HTTPResponse(
                request: exchange.request, statusCode: 200, headers: ["Cache-Control": control],
                body: .data(Data("good".utf8)))
        }
        _ = try await send(.get, "https://h/sie", transport)
        _ = try await send(.get, "https://h/none", transport)
        clock.advance(by: 50)
        for failure in [0, 500, 502, 503, 504] {
            fails.withLock { $0 = failure }
            let response = try await send(.get, "https://h/sie", transport)
            #expect(Self.text(response) == "good" && response.source == .stale(age: .seconds(50)), "\(failure)")
            #expect(response.cacheStatus?.detail != nil)
            let allowed = try await send(.get, "https://h/none", policy: .staleIfError(), transport)
            #expect(Self.text(allowed) == "good")
        }
        #expect(try await send(.get, "https://h/none", transport).statusCode == 504)
        fails.withLock { $0 = 404 }
        #expect(try await send(.get, "https://h/sie", transport).statusCode == 404)
        fails.withLock { $0 = 0 }
        await #expect(throws: HTTPError.self) { try await send(.get, "https://h/none", transport) }
        #expect(await cache.statistics.staleAnswers == 10)
    }

    @Test("What changes something goes through and makes entries invalid; a failure doesn't")
    func invalidation() async throws {
        let transport = CountingTransport { exchange, call in
            let isChange = exchange.request.method != .get
            let status = exchange.request.headers["Fail"] == nil ? isChange ? 201 : 200 : 500
            return HTTPResponse(
                request: exchange.request, statusCode: status,
                headers: isChange ? ["Location": "/b"] : ["Cache-Control": "max-age=100"],
                body: .data(Data("\(call)".utf8)))
        }
        _ = try await send(.get, "https://h/a", transport)
        _ = try await send(.get, "https://h/b", transport)
        _ = try await send(.post, "https://h/a", ["Fail": "1"], transport)
        #expect(try await send(.get, "https://h/a", transport).source.isCache)
        let change = try await send(.put, "https://h/a", transport)
        #expect(change.cacheStatus?.forward == .method)
        #expect(Self.text(try await send(.get, "https://h/a", transport)) == "5")
        #expect(Self.text(try await send(.get, "https://h/b", transport)) == "6")
        #expect(await cache.statistics.invalidations == 2)
    }

    @Test("HEAD is answered from GET, updates it, and ends it when it speaks of another content")
    func head() async throws {
        let length = Protected("4")
        let transport = CountingTransport { exchange, call in
            HTTPResponse(
                request: exchange.request, statusCode: 200,
                headers: ["Cache-Control": "max-age=10", "Content-Length": length.current, "Call": "\(call)"],
                body: .data(exchange.request.method == .head ? Data() : Data("body".utf8)))
        }
        _ = try await send(transport)
        let head = try await send(.head, "https://h/a", transport)
        #expect(head.source.isCache && head.data.isEmpty && head.headers["Content-Length"] == "4")
        clock.advance(by: 11)
        _ = try await send(.head, "https://h/a", transport)
        let updated = try await send(transport)
        #expect(updated.source.isCache && updated.headers["Call"] == "2" && Self.text(updated) == "body")
        clock.advance(by: 11)
        length.withLock { $0 = "5" }
        _ = try await send(.head, "https://h/a", transport)
        #expect(try await send(transport).source == .network)
    }

    @Test("Parts are stored, put together, and the rest is asked for")
    func parts() async throws {
        let content = Array("0123456789".utf8)
        let transport = CountingTransport { exchange, _ in
            let request = exchange.request
            let headers: HTTPHeaders = ["ETag": "\"1\"", "Cache-Control": "max-age=100"]
            guard let range = request.headers["Range"].flatMap({ RequestedRange($0) })?.resolved(total: 10) else {
                return HTTPResponse(request: request, statusCode: 200, headers: headers, body: .data(Data(content)))
            }
            let part = Data(content[Int(range.lowerBound)..<Int(range.upperBound)])
            return HTTPResponse(
                request: request, statusCode: 206,
                headers: headers.merging(["Content-Range": "bytes \(range.lowerBound)-\(range.upperBound - 1)/10"]),
                body: .data(part))
        }
        func get(_ range: String?) async throws -> HTTPResponse {
            try await send(.get, "https://h/a", range.map { ["Range": $0] } ?? [:], transport)
        }
        #expect(Self.text(try await get("bytes=0-3")) == "0123")
        let inside = try await get("bytes=1-2")
        #expect(
            inside.statusCode == 206 && Self.text(inside) == "12" && inside.headers["Content-Range"] == "bytes 1-2/10")
        #expect(transport.count == 1)
        #expect(Self.text(try await get("bytes=4-6")) == "456")
        #expect(Self.text(try await get("bytes=0-5")) == "012345")
        #expect(transport.count == 2)
        let whole = try await get(nil)
        #expect(whole.statusCode == 200 && Self.text(whole) == "0123456789" && transport.count == 3)
        #expect(whole.cacheStatus?.forward == .partial && whole.cacheStatus?.forwardStatus == 206)
        #expect(try await get(nil).source.isCache)
        #expect(Self.text(try await get("bytes=-2")) == "89")
        #expect(transport.count == 3)
    }

    @Test("only-if-cached and the caller's conditions; a caller who has it gets a 304 from the cache")
    func requestConditions() async throws {
        let transport = Entity("max-age=100").transport()
        await #expect {
            try await send(.get, "https://h/a", ["Cache-Control": "only-if-cached"], transport)
        } throws: { error in
            if case HTTPError.notInCache = error { true } else { false }
        }
        _ = try await send(transport)
        let known = try await send(.get, "https://h/a", ["If-None-Match": "\"1\""], transport)
        #expect(known.statusCode == 304 && known.data.isEmpty && known.source.isCache)
        #expect(try await send(.get, "https://h/a", ["If-None-Match": "\"0\""], transport).statusCode == 200)
        #expect(transport.count == 1)
    }

    @Test("revalidate asks with max-age=0, reload asks anew with no-cache")
    func forcing() async throws {
        let entity = Entity("max-age=100")
        let transport = entity.transport()
        _ = try await send(transport)
        #expect(try await send(policy: .revalidate, transport).source == .revalidated(age: .zero))
        #expect(try await send(policy: .reload, transport).source == .network)
        let seen = entity.seen.current
        #expect(seen[1]["Cache-Control"] == "max-age=0" && seen[1]["If-None-Match"] == "\"1\"")
        #expect(seen[2]["Cache-Control"] == "no-cache" && seen[2]["If-None-Match"] == nil)
    }

    @Test("A partition that is cleared while its answer is asked about gets nothing stored")
    func clearedMeanwhile() async throws {
        let entity = Entity()
        let inner = entity.transport()
        let transport = CountingTransport { [cache] exchange, call in
            if call == 2 { await cache.clear(partition: CachePartition(user: "u")) }
            return try await inner.send(exchange)
        }
        _ = try await send(transport)
        clock.advance(by: 11)
        let response = try await send(transport)
        #expect(response.cacheStatus?.isStored == false)
        #expect(try await send(transport).source == .network)
    }

    @Test("The answer to a POST that is what GET would give is stored for GET")
    func postRepresentation() async throws {
        let transport = CountingTransport { exchange, call in
            HTTPResponse(
                request: exchange.request, statusCode: 200,
                headers: ["Cache-Control": "max-age=100", "Content-Location": "/a"], body: .data(Data("\(call)".utf8)))
        }
        _ = try await send(.post, "https://h/a", transport)
        #expect(Self.text(try await send(transport)) == "1")
        #expect(transport.count == 1)
        _ = try await send(.post, "https://h/a", transport)
        #expect(Self.text(try await send(transport)) == "2")
    }
}

extension HTTPCachingTests {
    private func send(policy: CachePolicy = .standard, _ transport: CountingTransport) async throws -> HTTPResponse {
        try await send(.get, "https://h/a", [:], policy: policy, transport)
    }

    private func send(_ method: HTTPMethod, _ url: String, _ transport: CountingTransport) async throws -> HTTPResponse
    {
        try await send(method, url, [:], policy: .standard, transport)
    }
}
