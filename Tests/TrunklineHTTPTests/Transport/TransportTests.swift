import Foundation
import Testing
import TrunklineTesting

@testable import TrunklineHTTP

/// What every transport does alike, over real sockets.
@Suite struct TransportTests {
    @Test(arguments: TransportKind.allCases)
    func `the bytes of a request`(kind: TransportKind) async throws {
        let server = try LoopbackServer { $0.route(nil, "/echo", respond: .json(#"{"ok":true}"#)) }
        let session = kind.session(SessionConfiguration(headers: ["X-Session": "s"]))
        let body = RequestBody.data(Data(#"{"a":1}"#.utf8), contentType: "application/json")
        let url = try #require(server.url("/echo?a=1%202"))
        for method: HTTPMethod in [.post, .put, .patch, .delete, "PURGE"] {
            server.clearRecord()
            let response = try await session.send(
                HTTPRequest(method: method, url: url, headers: ["X-Ok": "a\tb"], body: body))
            #expect(response.statusCode == 200 && response.data == Data(#"{"ok":true}"#.utf8))
            let request = try #require(server.requests.first)
            #expect(request.method == method && request.target == "/echo?a=1%202")
            #expect(request.body == Data(#"{"a":1}"#.utf8))
            #expect(request.headers.values(for: "Content-Type") == ["application/json"])
            #expect(request.headers.values(for: "Content-Length") == ["7"])
            #expect(request.headers["X-Session"] == "s" && request.headers["X-Ok"] == "a\tb")
            #expect(!request.headers.contains("Expect"))
        }
        server.clearRecord()
        _ = try await session.send(HTTPRequest(url: url))
        let get = try #require(server.requests.first)
        #expect(!get.headers.contains("Content-Type") && !get.headers.contains("Transfer-Encoding") && get.body.isEmpty)
    }

    @Test(arguments: TransportKind.allCases)
    func `reading response headers`(kind: TransportKind) async throws {
        let head = [
            "HTTP/1.1 200 OK", "etag: \"x\"", "x-total-count: 7", "X-D: 1", "X-D: 2",
            "Set-Cookie: a=1; Expires=Wed, 21 Oct 2099 07:28:00 GMT; Path=/", "Set-Cookie: b=2; Path=/",
            "Content-Length: 0", "", "",
        ].joined(separator: "\r\n")
        let server = try LoopbackServer { $0.route(.get, "/", respond: .raw([.send(head)])) }
        let response = try await kind.session().send(server.baseURL)
        #expect(response.headers["ETAG"] == "\"x\"")
        #expect(response.headers["X-Total-Count"] == "7")
        #expect(response.headers["X-D"] == "1, 2")
        let cookies = response.headers.cookies(for: server.baseURL)
        #expect(cookies.map(\.name).sorted() == ["a", "b"] && cookies.map(\.value).sorted() == ["1", "2"])
        #expect(
            cookies.first { $0.name == "a" }?.expiresDate == Date(timeIntervalSince1970: 4_096_250_880))
    }

    @Test(arguments: TransportKind.allCases)
    func `bodies of every kind`(kind: TransportKind) async throws {
        let server = try LoopbackServer { server in
            server.route(.get, "/chunked", respond: .chunked(["he", "llo"], every: .milliseconds(5)))
            server.route(.get, "/none", respond: .status(204))
            server.route(.get, "/empty", respond: .data(Data()))
            server.route(.head, "/text", respond: .text("hello"))
            server.route(.get, "/text", respond: .text("hello"))
            server.route(.get, "/large", respond: .generated(count: 3_000_000))
        }
        let session = kind.session()
        func send(_ method: HTTPMethod, _ path: String) async throws -> HTTPResponse {
            try await session.send(HTTPRequest(method: method, url: try #require(server.url(path))))
        }
        #expect(try await send(.get, "/chunked").data == Data("hello".utf8))
        #expect(try await send(.get, "/none").data.isEmpty)
        #expect(try await send(.get, "/empty").data.isEmpty)
        let head = try await send(.head, "/text")
        #expect(head.data.isEmpty && head.headers["Content-Length"] == "5")
        #expect(try await send(.get, "/text").data == Data("hello".utf8))
        #expect(try await send(.get, "/large").data.count == 3_000_000)
        // One connection served all: bodies were read to their ends.
        #expect(server.connectionCount == 1)
    }

    @Test(arguments: TransportKind.allCases)
    func `request bodies from files and streams`(kind: TransportKind) async throws {
        let server = try LoopbackServer { $0.route(.put, "/", respond: .status(200)) }
        let session = kind.session()
        let bytes = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0) })
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try bytes.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let stream: @Sendable () -> RequestBody.Chunks = {
            let offset = Protected(0)
            return RequestBody.Chunks {
                offset.withLock { offset in
                    guard offset < bytes.count else { return nil }
                    defer { offset += 10_000 }
                    return bytes[offset..<min(offset + 10_000, bytes.count)]
                }
            }
        }
        for body in [
            try RequestBody.file(file), .stream(length: Int64(bytes.count), stream), .stream(stream), .data(bytes),
            .data(Data()),
        ] {
            server.clearRecord()
            _ = try await session.send(HTTPRequest(method: .put, url: server.baseURL, body: body))
            let request = try #require(server.requests.first)
            #expect(request.body == (body.contentLength == 0 ? Data() : bytes))
            if let length = body.contentLength { #expect(request.headers["Content-Length"] == "\(length)") }
        }
    }

    @Test(arguments: TransportKind.allCases)
    func `a body that is not as long as it says is refused`(kind: TransportKind) async throws {
        let server = try LoopbackServer { $0.route(.put, "/", respond: .status(200)) }
        let session = kind.session()
        for (declared, given) in [(10, 4), (4, 10)] {
            let chunk = Data(repeating: 1, count: given)
            let body = RequestBody.stream(length: Int64(declared)) {
                let sent = Protected(false)
                return RequestBody.Chunks {
                    sent.withLock { sent in
                        defer { sent = true }
                        return sent ? nil : chunk
                    }
                }
            }
            await #expect(throws: HTTPError.self) {
                try await session.send(HTTPRequest(method: .put, url: server.baseURL, body: body))
            }
        }
        #expect(server.completeBodies == 0)
    }

    @Test(arguments: TransportKind.allCases)
    func `a download takes its place whole, or leaves what was there`(kind: TransportKind) async throws {
        let server = try LoopbackServer { server in
            server.route(.get, "/file", respond: .generated(count: 1_000_000))
            server.route(
                .get, "/cut", respond: .raw([.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc"), .close]))
            server.route(.get, "/missing", respond: .text("no such file", status: 404))
            server.route(.get, "/moved", respond: .redirect(to: "/file"))
        }
        let session = kind.session()
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("file")
        func download(_ path: String) async throws -> HTTPResponse {
            try await session.send(
                HTTPRequest(url: try #require(server.url(path)), options: RequestOptions(delivery: .file(file))))
        }
        await #expect(throws: HTTPError.self) { try await download("/cut") }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)

        for path in ["/file", "/moved"] {
            guard case .file(file) = try await download(path).body else {
                Issue.record("not a file")
                return
            }
            #expect(try Data(contentsOf: file).count == 1_000_000)
        }
        await #expect(throws: HTTPError.self) { try await download("/cut") }
        do {
            _ = try await download("/missing")
            Issue.record("accepted")
        } catch HTTPError.validation(let failure) {
            #expect(failure.response.data == Data("no such file".utf8))
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["file"])
        #expect(try Data(contentsOf: file).count == 1_000_000)
    }

    @Test(arguments: TransportKind.allCases)
    func `a stream arrives as it is sent and ends as it ended`(kind: TransportKind) async throws {
        let gate = LoopbackGate()
        let server = try LoopbackServer { server in
            server.route(
                .get, "/whole",
                respond: .raw([
                    .send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nabc"), .hold(gate), .send("def"),
                ]))
            server.route(
                .get, "/cut", respond: .raw([.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nabc"), .close]))
        }
        let session = kind.session()
        func stream(_ path: String) async throws -> ResponseBody.Chunks {
            let response = try await session.send(
                HTTPRequest(url: try #require(server.url(path)), options: RequestOptions(delivery: .stream)))
            guard case .stream(let chunks) = response.body else { throw HTTPError.emptyResponse(response) }
            return chunks
        }
        // The head and the first chunk are here while the server still holds the rest.
        var received = Data()
        for try await chunk in try await stream("/whole") {
            received += chunk
            if received.count == 3 { gate.open() }
        }
        #expect(received == Data("abcdef".utf8))
        await #expect(throws: HTTPError.self) {
            for try await _ in try await stream("/cut") {}
        }
    }

    @Test(arguments: TransportKind.allCases)
    func `progress grows to the whole and never beyond`(kind: TransportKind) async throws {
        let server = try LoopbackServer { server in
            server.route(.put, "/", respond: .generated(count: 500_000))
            server.route(.get, "/chunked", respond: .chunked(["he", "llo"]))
        }
        let session = kind.session()
        let sent = Collector<TransferProgress>()
        let received = Collector<TransferProgress>()
        let observer = ProgressObserver(sent: { sent.add($0) }, received: { received.add($0) })
        let body = RequestBody.data(Data(count: 200_000))
        _ = try await session.request(
            HTTPRequest(method: .put, url: server.baseURL, body: body), progress: observer
        ).response()
        for (values, total) in [(sent.all, Int64(200_000)), (received.all, 500_000)] {
            #expect(values.map(\.completed) == values.map(\.completed).sorted())
            #expect(values.last == TransferProgress(completed: total, total: total))
            #expect(values.allSatisfy { ($0.fraction ?? 0) <= 1 })
        }
        let before = received.count
        _ = try await session.request(try #require(server.url("/chunked")), progress: observer).response()
        #expect(received.all.dropFirst(before).allSatisfy { $0.total == nil && $0.fraction == nil })
    }

    @Test(arguments: TransportKind.allCases)
    func `many at once, and no descriptor or request left over`(kind: TransportKind) async throws {
        let server = try LoopbackServer { $0.route(.get, "/", respond: .text("hello")) }
        let session = kind.session()
        let url = server.baseURL
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<300 { group.addTask { try await session.send(url).statusCode } }
            for try await status in group { #expect(status == 200) }
        }
        #expect(session.activeRequests.isEmpty)
        session.invalidate()
        #expect(await server.waitForConnectionsClosed())
    }
}
