import Foundation
import TestSupport
import Testing

@testable import TrunklineHTTP

/// Failures, changes, HEAD, parts and what a request says itself.
extension HTTPCachingTests {
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
