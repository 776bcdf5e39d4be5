import Foundation
import Testing
import TrunklineTesting

@testable import TrunklineHTTP

@Suite("The HAR recorder")
struct HARRecorderTests {
    private func log(_ file: ScratchFile) throws -> HARLog {
        let data = try #require(file.data)
        let mistakes = try HARValidation.mistakes(in: data)
        #expect(mistakes.isEmpty, "\(mistakes)")
        return try HARFile(parsing: data).log
    }

    @Test("Redirects, retries, cookies, forms, queries and failures are entries", arguments: TransportKind.allCases)
    func entries(kind: TransportKind) async throws {
        let tries = Protected(0)
        let server = try LoopbackServer {
            $0.route(.get, "/old", respond: .redirect(to: "/new?x=a%20b&y"))
            $0.route(
                .get, "/new", respond: .json(#"{"title":"Emma"}"#, headers: ["Set-Cookie": "a=1; Path=/; HttpOnly"]))
            $0.route(.get, "/flaky") { _ in
                let count = tries.withLock { count in
                    count += 1
                    return count
                }
                return .text("try \(count)", status: count == 1 ? 503 : 200)
            }
            $0.route(.get, "/bytes", respond: .data(Data([0, 0xFF, 1])))
            $0.route(.post, "/form", respond: .status(204))
            $0.route(.get, "/lost", respond: .raw([.close]))
        }
        let file = try ScratchFile()
        let recorder = try HARRecorder(to: file.url, redaction: .none)
        let session = kind.session(
            SessionConfiguration(retry: RetryPolicy(limit: 1, baseDelay: .zero), eventMonitors: [recorder]))
        func get(_ path: String) -> String { "\(server.baseURL)\(path)" }
        _ = try await session.send(get("/old"))
        _ = try await session.send(get("/flaky"))
        _ = try await session.send(get("/bytes"))
        _ = try await session.send(
            HTTPRequest(
                method: .post, url: try #require(server.url("/form")), headers: ["Cookie": "c=2"],
                body: .data(Data("a=1+2&b=%26".utf8), contentType: "application/x-www-form-urlencoded")))
        try recorder.finish()
        _ = try await session.send(get("/bytes"))
        let entries = try log(file).entries
        #expect(entries.map(\.response.status) == [302, 200, 503, 200, 200, 204])
        #expect(entries[0].response.redirectURL == "/new?x=a%20b&y" && entries[0].requestID == entries[1].requestID)
        #expect(entries[1].request.queryString == [HARField(name: "x", value: "a b"), HARField(name: "y", value: "")])
        #expect(entries[1].response.content.text == #"{"title":"Emma"}"#)
        #expect(entries[1].response.cookies == [HARCookie(name: "a", value: "1", path: "/", httpOnly: true)])
        #expect(entries[2...3].map(\.attempt) == [1, 2])
        #expect(
            entries[4].response.content.encoding == "base64" && entries[4].response.content.data == Data([0, 0xFF, 1]))
        #expect(
            entries[5].request.postData?.params == [
                HARParameter(name: "a", value: "1 2"), HARParameter(name: "b", value: "&"),
            ])
        #expect(entries[5].request.cookies == [HARCookie(name: "c", value: "2")])
        #expect(entries.allSatisfy { $0.startedAt != nil })
        if kind == .curl {
            #expect(entries.allSatisfy { $0.serverIPAddress == "127.0.0.1" && $0.connection == "\(server.port)" })
            #expect(entries[0].timings.connect >= 0 && entries[0].timings.wait > 0)
        }
    }

    @Test("Failures have a name to fail by again")
    func failures() async throws {
        let file = try ScratchFile()
        let recorder = try HARRecorder(to: file.url)
        let errors: [HTTPError] = [
            .offline, .timedOut(.idle), .nameResolution(host: "h"), .connectionFailed(reason: "no"),
        ]
        let session = SessionManager(
            configuration: SessionConfiguration(eventMonitors: [recorder]),
            transport: StubTransport { exchange in
                throw errors[Int(exchange.request.url.lastPathComponent) ?? 0]
            })
        for index in errors.indices { _ = try? await session.send("http://h/\(index)") }
        try recorder.finish()
        let entries = try log(file).entries
        #expect(entries.map(\.response.status) == [0, 0, 0, 0])
        #expect(
            entries.map(\.response.failure) == ["offline", "timedOutIdle", "nameResolution", "connectionFailed"])
    }

    @Test("Answers from the cache, streams and files")
    func sources() async throws {
        let server = try LoopbackServer { $0.fallback(respond: .text("0123456789")) }
        let file = try ScratchFile()
        let recorder = try HARRecorder(to: file.url, maximumBodyBytes: 4)
        let session = SessionManager(
            configuration: SessionConfiguration(eventMonitors: [recorder]), cache: ResponseCache())
        var options = RequestOptions()
        options.cache = .cacheFirst(maxAge: .seconds(60))
        let cached = HTTPRequest(url: try #require(server.url("/c")), options: options)
        _ = try await session.send(cached)
        _ = try await session.send(cached)
        for try await _ in session.stream("\(server.baseURL)/s").chunks {}
        let target = try ScratchFile()
        _ = try await session.send(try server.request(.get, "/f", delivery: .file(target.url)))
        #expect(await eventually { recorder.entryCount == 4 })
        try recorder.finish()
        let entries = try log(file).entries
        #expect(entries.map(\.fromCache) == [nil, "memory", nil, nil])
        #expect(entries.map(\.cache.comment) == ["miss", "hit", nil, nil])
        for entry in entries {
            #expect(entry.response.content.text == "0123" && entry.response.content.size == 10)
            #expect(entry.response.content.comment != nil)
        }
    }

    private func entry(_ number: Int, bytes: Int = 100) -> HAREntry {
        HAREntry(
            startedDateTime: "2026-11-30T14:00:00.000Z", time: 0,
            request: HARRequest(method: "GET", url: "http://h/\(number)"),
            response: HARResponse(
                status: 200, content: HARContent(Data(repeating: 0x61, count: bytes), mimeType: "text/plain")))
    }

    @Test("The file is whole after every entry, and bounded: the older half goes")
    func bounded() throws {
        let file = try ScratchFile()
        var writer = try HARWriter(file.url, entries: [], limit: 10_000)
        for number in 0..<200 {
            writer.append(entry(number))
            let log = try log(file)
            #expect(log.entries.last?.request.url == "http://h/\(number)")
            #expect((file.data?.count ?? 0) <= 10_000)
            #expect(log.entries.count == writer.count && log.entries.count + writer.dropped == number + 1)
        }
        writer.append(entry(200, bytes: 20_000))
        #expect(try log(file).entries.last?.request.url == "http://h/199")
        #expect(try log(file).comment == "\(writer.dropped - 1) older entries were dropped" && writer.failure == nil)
        let attributes = try FileManager.default.attributesOfItem(atPath: file.url.path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test("A file that breaks off anywhere is read up to there")
    func recovery() throws {
        let file = try ScratchFile()
        var writer = try HARWriter(file.url, entries: [], limit: nil)
        for number in 0..<3 { writer.append(entry(number)) }
        writer.close()
        let whole = try #require(file.data)
        let head = try #require(whole.firstIndex(of: UInt8(ascii: "\n")))
        var counts: Set<Int> = []
        for length in stride(from: head + 1, to: whole.count, by: 7) {
            try whole.prefix(length).write(to: file.url)
            let read = try HARFile(contentsOf: file.url).log.entries
            #expect(read == (0..<read.count).map { entry($0) })
            counts.insert(read.count)
        }
        #expect(counts.isSuperset(of: [0, 1, 2]))
        try Data("no HAR".utf8).write(to: file.url)
        #expect(throws: HTTPError.self) { try HARFile(contentsOf: file.url) }
        #expect(throws: HTTPError.self) { try HARRecorder(to: file.url, appends: true) }
        #expect(throws: HTTPError.self) { try HARRecorder(to: URL(fileURLWithPath: "/no/such/place")) }
    }

    @Test("Appending goes on with the entries that are there")
    func appending() async throws {
        let file = try ScratchFile()
        for count in 1...3 {
            let recorder = try HARRecorder(to: file.url, appends: true)
            let session = SessionManager(
                configuration: SessionConfiguration(eventMonitors: [recorder]),
                transport: StubTransport { .stub(for: $0, status: 200) })
            _ = try await session.send("http://h/\(count)")
            try recorder.finish()
            #expect(try log(file).entries.count == count)
        }
    }

    @Test("Many at once: nothing is lost")
    func many() async throws {
        let file = try ScratchFile()
        let recorder = try HARRecorder(to: file.url)
        let session = SessionManager(
            configuration: SessionConfiguration(eventMonitors: [recorder]),
            transport: StubTransport { .stub(for: $0, json: "{}") })
        let requests = (0..<300).map { session.request("http://h/\($0)") }
        for request in requests { _ = try await request.response() }
        try recorder.finish()
        #expect(Set(try log(file).entries.map(\.request.url)).count == 300 && recorder.droppedEntries == 0)
    }
}
