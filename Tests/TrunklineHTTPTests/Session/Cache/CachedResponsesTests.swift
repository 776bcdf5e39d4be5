import Foundation
import TestSupport
import Testing
import TrunklineTesting

@testable import TrunklineHTTP

/// A session with the cache on, against a real server.
@Suite("A session's cache")
struct CachedResponsesTests {
    private let server: LoopbackServer
    private let session: SessionManager

    init() throws {
        let count = Protected(0)
        server = try LoopbackServer { server in
            server.route(nil, "/feed") { request in
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                return .text("\(request.method) \(number)", headers: ["Set-Cookie": "n=\(number); Path=/"])
            }
            server.route(.get, "/broken", respond: .status(500))
            server.route(.get, "/file") { request in
                let headers: HTTPHeaders = ["ETag": "\"1\"", "Cache-Control": "max-age=0"]
                if request.headers["If-None-Match"] == "\"1\"" { return .status(304, headers: headers) }
                return .generated(count: 3_000_000, headers: headers)
            }
            server.route(.get, "/fresh", respond: .text("fresh", headers: ["Cache-Control": "max-age=100"]))
        }
        session = SessionManager(
            configuration: SessionConfiguration(cachePolicy: .standard, cookies: CookieStore()), cache: ResponseCache())
    }

    private func url(_ path: String) throws -> URL { try #require(server.url(path)) }

    private func all(_ request: HTTPRequest) async throws -> [HTTPResponse] {
        var all: [HTTPResponse] = []
        for try await response in session.responses(for: request) { all.append(response) }
        return all
    }

    @Test("One line turns it on: the second request is answered from the cache")
    func oneLine() async throws {
        #expect(try await session.send(HTTPRequest(url: try url("/fresh"))).source == .network)
        let second = try await session.send(HTTPRequest(url: try url("/fresh")))
        #expect(second.source.isCache && second.cacheStatus?.isHit == true && server.requests.count == 1)
        let plain = SessionManager(cache: session.cache)
        #expect(try await plain.send(HTTPRequest(url: try url("/fresh"))).source == .network)
    }

    @Test("Cache, then network: one element without a stored answer, then two")
    func both() async throws {
        let request = HTTPRequest(url: try url("/feed"))
        #expect(try await all(request).map(\.data) == [Data("GET 1".utf8)])
        let second = try await all(request)
        #expect(second.map(\.data) == [Data("GET 1".utf8), Data("GET 2".utf8)])
        #expect(second.map(\.source.isCache) == [true, false])
    }

    @Test("A POST without a key is sent once; with one it has a stored answer, too")
    func posts() async throws {
        var request = HTTPRequest(method: .post, url: try url("/feed"))
        #expect(try await all(request).count == 1)
        #expect(try await all(request).count == 1)
        #expect(server.requests.count == 2)
        request.options.cacheKey = CacheKey(identity: ["feed"])
        #expect(try await all(request).count == 1)
        #expect(try await all(request).count == 2)
        #expect(server.requests.count == 4)
    }

    @Test("A failure comes after the stored answer; without one it is all there is")
    func failures() async throws {
        await #expect(throws: HTTPError.self) { try await all(HTTPRequest(url: try url("/broken"))) }
        let request = HTTPRequest(url: try url("/feed"))
        _ = try await all(request)
        server.stop()
        var seen: [HTTPResponse] = []
        let error = await #expect(throws: HTTPError.self) {
            for try await response in session.responses(for: request) { seen.append(response) }
        }
        #expect(error != nil && seen.count == 1 && seen.first?.source.isCache == true)
    }

    @Test("Cookies of a stored answer are not taken in again")
    func cookies() async throws {
        var request = HTTPRequest(url: try url("/feed"))
        _ = try await session.send(request)
        #expect(session.configuration.cookies?.header(for: try url("/feed")) == "n=1")
        session.configuration.cookies?.removeAll()
        request.options.cache = .cacheFirst(maxAge: .seconds(100))
        #expect(try await session.send(request).source.isCache)
        #expect(session.configuration.cookies?.header(for: try url("/feed")) == nil)
    }

    @Test("A download is stored, and a later one comes from the store after the server was asked")
    func downloads() async throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("trunkline-" + UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: directory) }
        var configuration = SessionConfiguration(cachePolicy: .standard)
        configuration.transferDirectory = directory.appendingPathComponent("transfers")
        let disk = DiskCacheStore(directory: directory.appendingPathComponent("cache"))
        let session = SessionManager(configuration: configuration, cache: ResponseCache(disk: disk))
        for number in 0..<3 {
            let target = directory.appendingPathComponent("\(number)")
            let response = try await session.download(
                HTTPRequest(url: try url("/file")), to: .file(target)
            ).response()
            #expect(try Data(contentsOf: target).count == 3_000_000)
            if number > 0, case .revalidated = response.source {
            } else if number > 0 {
                Issue.record("\(response.source)")
            }
            await session.cache.flush()
        }
        #expect(server.requests.count == 3)
    }

    @Test("A stream is stored as it is read, and answered from the store")
    func streams() async throws {
        for isCached in [false, true] {
            var content = Data()
            let request = session.stream(HTTPRequest(url: try url("/fresh")))
            for try await chunk in request.chunks { content += chunk }
            #expect(content == Data("fresh".utf8))
            #expect(try await request.head().source.isCache == isCached)
        }
        #expect(server.requests.count == 1)
    }
}
