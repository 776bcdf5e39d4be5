import Foundation
import Testing
import TrunklineTesting

@testable import TrunklineHTTP

@Suite("Downloads that go on: retries, keys, cancels, twins") struct DownloadRetryTests {
    private let scratch: TransferScratch

    init() throws { scratch = try TransferScratch() }

    private static func part(_ text: String, _ range: String) -> LoopbackResponse {
        .data(Data(text.utf8), status: 206, headers: ["Content-Range": range, "ETag": "\"v1\""])
    }

    private static func whole(_ text: String) -> LoopbackResponse {
        .data(Data(text.utf8), headers: ["ETag": "\"v1\""])
    }

    @Test("A lost connection: the retry asks for the rest", arguments: TransportKind.allCases)
    func retries(kind: TransportKind) async throws {
        let pattern = LoopbackPattern(seed: 1)
        let size = 300_000
        let server = try LoopbackServer { server in
            server.route(.get, "/f") { request in
                guard let range = request.headers["Range"], let first = Int(range.filter(\.isNumber)) else {
                    return .raw([
                        .send("HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nContent-Length: \(size)\r\n\r\n"),
                        .generated(pattern, count: 100_000), .close,
                    ])
                }
                let end = min(size, first + 120_000)
                let head = "HTTP/1.1 206 Partial Content\r\nETag: \"v1\"\r\nContent-Length: \(size - first)\r\n"
                return .raw(
                    [
                        .send(head + "Content-Range: bytes \(first)-\(size - 1)/\(size)\r\n\r\n"),
                        .send(pattern.bytes(from: Int64(first), count: end - first)),
                    ] + (end < size ? [.close] : []))
            }
        }
        let url = try #require(server.url("/f"))
        let session = kind.session(
            scratch.configuration { $0.retry = RetryPolicy(limit: 5, baseDelay: .milliseconds(1)) })
        let file = try await session.download(url, to: .file(scratch.file("f"))).file()
        #expect(try Data(contentsOf: file) == pattern.bytes(count: size))
        #expect(server.requests.count >= 3)
        #expect(server.requests.dropFirst().allSatisfy { $0.headers["If-Range"] == "\"v1\"" })
    }

    @Test("A server that sends less than was asked for is asked again")
    func slices() async throws {
        let server = try LoopbackServer { server in
            server.route(.get, "/f") { request in
                guard let range = request.headers["Range"], let first = Int(range.filter(\.isNumber)) else {
                    return .status(500)
                }
                let text = String(Array("0123456789")[first..<min(first + 3, 10)])
                return DownloadRetryTests.part(text, "bytes \(first)-\(first + text.count - 1)/10")
            }
        }
        let url = try #require(server.url("/f"))
        try scratch.leave("01", of: url, validator: "\"v1\"")
        let session = SessionManager(configuration: scratch.configuration())
        _ = try await session.download(
            url, to: .file(scratch.file("f")),
            checksum: .sha256("84d89877f0d4041efb6bf91a16f0248f2fd573e6af05c19f96bedb9f882f7882")
        ).file()
        #expect(scratch.text("f") == "0123456789")
        #expect(server.requests.map { $0.headers["Range"] } == ["bytes=2-", "bytes=5-", "bytes=8-"])
    }

    @Test("Another URL goes on under the same key, where the server confirms the validator")
    func otherURL() async throws {
        let server = try LoopbackServer { server in
            server.route(.get, "/new", respond: DownloadRetryTests.part("456789", "bytes 4-9/10"))
        }
        try scratch.leave("0123", of: try #require(server.url("/old")), validator: "\"v1\"", key: "film")
        let session = SessionManager(configuration: scratch.configuration())
        let url = try #require(server.url("/new?signature=2"))
        _ = try await session.download(url, to: .file(scratch.file("f")), resumption: .key("film")).file()
        #expect(scratch.text("f") == "0123456789")
        #expect(server.requests.first?.headers["Range"] == "bytes=4-")
    }

    @Test("What is there: complete, too long, of another run of the system, without a readable state")
    func states() async throws {
        let server = try LoopbackServer { server in
            server.route(.get, "/f") { request in
                guard let range = request.headers["Range"], let first = Int(range.filter(\.isNumber)) else {
                    return DownloadRetryTests.whole("0123456789")
                }
                return DownloadRetryTests.part(String("0123456789".dropFirst(first)), "bytes \(first)-9/10")
            }
        }
        let url = try #require(server.url("/f"))
        let session = SessionManager(configuration: scratch.configuration())
        for (content, boot, synced, range) in [
            ("0123456789", BootSession.id, 0, "bytes=9-"), ("0123456789xxxx", BootSession.id, 0, "bytes=9-"),
            ("0123xx", "another", 4, "bytes=4-"), ("0123xx", "another", 0, nil), ("", BootSession.id, 0, nil),
            ("0", BootSession.id, 0, "bytes=1-"),
        ] as [(String, String?, Int64, String?)] {
            try scratch.leave(content, of: url, validator: "\"v1\"", boot: boot, synced: synced)
            _ = try await session.download(url, to: .file(scratch.file("f"))).file()
            #expect(scratch.text("f") == "0123456789")
            #expect(server.requests.last?.headers["Range"] == range, "\(content)")
            #expect(scratch.kept == [])
        }
    }

    @Test(
        "A cancelled download is gone on with at once; without its partial content it starts anew",
        arguments: [true, false])
    func cancels(keeps: Bool) async throws {
        let server = try LoopbackServer { server in
            server.route(.get, "/f") { request in
                guard request.headers.contains("Range") else {
                    return .raw([
                        .send("HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nContent-Length: 10\r\n\r\n0123"), .waitForClose,
                    ])
                }
                return DownloadRetryTests.part("456789", "bytes 4-9/10")
            }
        }
        let url = try #require(server.url("/f"))
        let session = SessionManager(configuration: scratch.configuration())
        for round in 0..<20 {
            let first = session.download(url, to: .file(scratch.file("f")))
            #expect(await eventually { first.latestProgress?.completed == 4 })
            first.cancel(keepingPartial: keeps)
            let error = await #expect(throws: HTTPError.self) { try await first.file() }
            guard case .cancelled = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            guard keeps else {
                #expect(await eventually { scratch.kept == [] }, "round \(round)")
                continue
            }
            _ = try await session.download(url, to: .file(scratch.file("f"))).file()
            #expect(scratch.text("f") == "0123456789" && scratch.kept == [])
            #expect(server.requests.last?.headers["Range"] == "bytes=4-", "round \(round)")
        }
    }

    @Test("Two downloads of one URL at a time don't disturb each other", arguments: TransportKind.allCases)
    func twins(kind: TransportKind) async throws {
        let size: Int64 = 2_000_000
        let server = try LoopbackServer { server in
            server.route(.get, "/f", respond: .generated(count: size, seed: 5, headers: ["ETag": "\"v1\""]))
        }
        let url = try #require(server.url("/f"))
        let session = kind.session(scratch.configuration())
        let downloads = (0..<6).map { session.download(url, to: .file(scratch.file("f\($0)"))) }
        let expected = LoopbackPattern(seed: 5).checksum(count: size)
        for download in downloads {
            let file = try await download.file()
            #expect(LoopbackChecksum(of: try Data(contentsOf: file)).value == expected)
        }
        #expect(await eventually { scratch.kept == [] })
    }

    @Test("Another key, another user, no key: nothing is shared")
    func keys() async throws {
        let server = try LoopbackServer { $0.route(.get, "/f", respond: DownloadRetryTests.whole("0123456789")) }
        let url = try #require(server.url("/f"))
        let session = SessionManager(configuration: scratch.configuration())
        var other = HTTPRequest(url: url)
        other.options.cachePartition = CachePartition(user: "b")
        for (request, resumption) in [
            (HTTPRequest(url: url), .key("x")), (other, .automatic), (HTTPRequest(url: url), .never),
        ] as [(HTTPRequest, TransferResumption)] {
            try scratch.leave("0123", of: url, validator: "\"v1\"")
            _ = try await session.download(request, to: .file(scratch.file("f")), resumption: resumption).file()
            #expect(server.requests.last?.headers.contains("Range") == false)
            #expect(scratch.text("f") == "0123456789" && scratch.kept.count == 2)
        }
        #expect(server.requests.last?.headers["Accept-Encoding"] != "identity")
    }

    @Test("What nobody comes back for is removed; what is in use stays")
    func stale() async throws {
        let server = try LoopbackServer { server in
            let head = "HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nContent-Length: 10\r\n\r\n0123"
            server.route(.get, "/held", respond: .raw([.send(head), .waitForClose]))
        }
        let session = SessionManager(configuration: scratch.configuration())
        let url = try #require(server.url("/held"))
        let download = session.download(url, to: .file(scratch.file("f")))
        #expect(await eventually { download.latestProgress?.completed == 4 })
        try scratch.leave("0123", of: try #require(server.url("/old")), validator: "\"v1\"")
        #expect(scratch.kept.count == 4)
        session.removeStaleTransfers(olderThan: .seconds(3600))
        #expect(scratch.kept.count == 4)
        session.removeStaleTransfers(olderThan: .zero)
        #expect(scratch.kept.count == 2)
        download.cancel(keepingPartial: false)
        #expect(await eventually { scratch.kept == [] })
    }

    @Test("On another volume too the file takes its place in one step")
    func otherVolume() throws {
        let memory = URL(fileURLWithPath: "/dev/shm", isDirectory: true)
        guard FileManager.default.isWritableFile(atPath: memory.path) else { return }
        let file = memory.appendingPathComponent(UUID().uuidString)
        try Data("new".utf8).write(to: file)
        try scratch.write("old", to: "f")
        let error = #expect(throws: HTTPError.self) {
            try FilePlacing.move(file, to: scratch.file("f"), conflict: .fail)
        }
        #expect(error?.transferFailure == .destinationExists(scratch.file("f")))
        #expect(scratch.names == ["f"] && scratch.text("f") == "old")
        #expect(try FilePlacing.move(file, to: scratch.file("f"), conflict: .number) == scratch.file("f (1)"))
        #expect(scratch.names == ["f", "f (1)"] && scratch.text("f (1)") == "new")
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test("A process killed while it moved a finished file: the file is left alone")
    func secondName() async throws {
        let server = try LoopbackServer { $0.route(.get, "/f", respond: DownloadRetryTests.whole("0123456789")) }
        let url = try #require(server.url("/f"))
        try scratch.leave("abcdefghij", of: url, validator: "\"v1\"")
        let part = scratch.transfers.appendingPathComponent("downloads").appendingPathComponent(
            try #require(scratch.kept.first { $0.hasSuffix(".part") }))
        #expect(link(part.path, scratch.file("placed").path) == 0)
        let session = SessionManager(configuration: scratch.configuration())
        _ = try await session.download(url, to: .file(scratch.file("f"))).file()
        #expect(scratch.text("placed") == "abcdefghij" && scratch.text("f") == "0123456789" && scratch.kept == [])
    }

    @Test("A directory that can't be used costs the resumption, not the transfer")
    func unusableDirectory() async throws {
        let server = try LoopbackServer { $0.route(.get, "/f", respond: DownloadRetryTests.whole("0123456789")) }
        try scratch.write("a file", to: "no-directory")
        let session = SessionManager(
            configuration: SessionConfiguration(transferDirectory: scratch.file("no-directory")))
        _ = try await session.download(try #require(server.url("/f")), to: .file(scratch.file("f"))).file()
        #expect(scratch.text("f") == "0123456789")
        let uploads = try UploadServer(.tus)
        _ = try await session.upload(file: scratch.file("f"), to: uploads.url, by: UploadServer.Dialect.tus.method)
            .response()
        #expect(uploads.content == Data("0123456789".utf8))
        #expect(scratch.text("no-directory") == "a file")
    }
}
