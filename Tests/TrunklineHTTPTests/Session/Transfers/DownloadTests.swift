import Foundation
import Testing
import TrunklineTesting

@testable import TrunklineHTTP

@Suite("Downloads") struct DownloadTests {
    private let scratch: TransferScratch
    private let server: LoopbackServer
    private static let ten = "84d89877f0d4041efb6bf91a16f0248f2fd573e6af05c19f96bedb9f882f7882"

    init() throws {
        scratch = try TransferScratch()
        server = try LoopbackServer { server in
            server.route(.get, "/ten", respond: .text("0123456789"))
            server.route(.get, "/named") { request in
                .text("named", headers: ["Content-Disposition": request.query("d") ?? ""])
            }
            server.route(.get, "/chunked", respond: .chunked(["he", "llo"]))
            server.route(.get, "/empty", respond: .data(Data()))
            server.route(.get, "/missing", respond: .text("why", status: 404))
            server.route(.post, "/report") { .text("report \($0.text)") }
            server.route(.get, "/moved", respond: .redirect(to: "/ten"))
            server.route(.get, "/big", respond: .generated(count: 3_000_000, seed: 2))
        }
    }

    private func session(_ kind: TransportKind = .curl, starts: Bool = true) -> SessionManager {
        kind.session(scratch.configuration { $0.startsRequestsImmediately = starts })
    }

    private func url(_ path: String) throws -> URL { try #require(server.url(path)) }

    @Test("Into a directory: the server's name, made safe", arguments: TransportKind.allCases)
    func directory(kind: TransportKind) async throws {
        let disposition =
            "/named?d="
            + (#"attachment; filename="../../etc/passwd""#.addingPercentEncoding(withAllowedCharacters: .alphanumerics)
                ?? "")
        let session = session(kind)
        for expected in ["passwd", "passwd (1)", "passwd (2)"] {
            let file = try await session.download(try url(disposition), to: .directory(scratch.target)).file()
            #expect(file == scratch.file(expected) && scratch.text(expected) == "named")
        }
        #expect(
            try await session.download(try url("/moved"), to: .directory(scratch.target)).file() == scratch.file("ten"))
        #expect(scratch.names == ["passwd", "passwd (1)", "passwd (2)", "ten"] && scratch.kept == [])
    }

    @Test("What is there already: replaced, kept, or numbered")
    func conflicts() async throws {
        try scratch.write("old", to: "f")
        let session = session()
        let error = await #expect(throws: HTTPError.self) {
            try await session.download(try url("/ten"), to: .file(scratch.file("f"), onConflict: .fail)).file()
        }
        #expect(error?.transferFailure == .destinationExists(scratch.file("f")))
        #expect(scratch.text("f") == "old" && scratch.names == ["f"] && scratch.kept == [])
        let numbered = try await session.download(try url("/ten"), to: .file(scratch.file("f"), onConflict: .number))
            .file()
        #expect(numbered == scratch.file("f (1)") && scratch.text("f") == "old")
        _ = try await session.download(try url("/ten"), to: .file(scratch.file("f"))).file()
        #expect(scratch.text("f") == "0123456789")
    }

    @Test("Many at a time with one name: as many files")
    func manyNumbered() async throws {
        let session = session()
        let downloads = try (0..<20).map { _ in session.download(try url("/ten"), to: .directory(scratch.target)) }
        var files: Set<URL> = []
        for download in downloads { files.insert(try await download.file()) }
        #expect(files.count == 20 && scratch.names.count == 20 && scratch.kept == [])
    }

    @Test("Chosen by a closure, with the suggested name; missing directories")
    func chosen() async throws {
        let session = session()
        let target = scratch.target
        let file = try await session.download(
            try url("/ten"),
            to: .chosen { name, response in
                target.appendingPathComponent("deep/er/\(response.statusCode)-\(name.text)", isDirectory: false)
            }
        ).file()
        #expect(file == scratch.file("deep/er/200-ten") && scratch.text("deep/er/200-ten") == "0123456789")
        let missing = DownloadDestination.file(scratch.file("no/f")).withoutMakingDirectories()
        let error = await #expect(throws: HTTPError.self) {
            try await session.download(try url("/ten"), to: missing).file()
        }
        guard case .file = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        let web = DownloadDestination.file(try url("/x"))
        await #expect(throws: HTTPError.self) { try await session.download(try url("/ten"), to: web).file() }
        #expect(scratch.kept == [])
    }

    @Test("A refused answer: its words in the error, the old file untouched", arguments: TransportKind.allCases)
    func refused(kind: TransportKind) async throws {
        try scratch.write("old", to: "f")
        let session = session(kind)
        let error = await #expect(throws: HTTPError.self) {
            try await session.download(try url("/missing"), to: .file(scratch.file("f"))).file()
        }
        guard case .validation(let failure) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(failure.response.data == Data("why".utf8) && failure.response.statusCode == 404)
        #expect(scratch.text("f") == "old" && scratch.names == ["f"] && scratch.kept == [])
        let anything = kind.session(scratch.configuration { $0.validation = .acceptAny })
        _ = try await anything.download(try url("/missing"), to: .file(scratch.file("f"))).file()
        #expect(scratch.text("f") == "why")
    }

    @Test("Checksums: right, wrong, no checksum at all, the server's own")
    func checksums() async throws {
        let session = session()
        let destination = DownloadDestination.file(scratch.file("f"))
        let right = DownloadTests.ten
        _ = try await session.download(try url("/ten"), to: destination, checksum: .sha256(right.uppercased())).file()
        try scratch.write("old", to: "f")
        let wrong = String(repeating: "0", count: 64)
        for (checksum, expected) in [
            (.sha256(wrong), .checksumMismatch(expected: wrong, actual: right)),
            (.sha256("abc"), .checksumUnusable("abc")),
            (.announced, .checksumMissing),
        ] as [(DownloadChecksum, TransferFailure)] {
            let error = await #expect(throws: HTTPError.self) {
                try await session.download(try url("/ten"), to: destination, checksum: checksum).file()
            }
            #expect(error?.transferFailure == expected)
            #expect(scratch.text("f") == "old" && scratch.names == ["f"] && scratch.kept == [])
        }
        let digest = "sha-256=:hNiYd/DUBB77a/kaFvAkjy/Vc+avBcGflr7bn4gveII=:"
        for (name, value) in [("Repr-Digest", "sha-512=:AA==:, \(digest)"), ("Content-Digest", digest)] {
            server.route(.get, "/digest", respond: .text("0123456789", headers: [.init(name, value)]))
            _ = try await session.download(try url("/digest"), to: destination, checksum: .announced).file()
            server.route(.get, "/digest", respond: .text("012345678X", headers: [.init(name, value)]))
            let error = await #expect(throws: HTTPError.self) {
                try await session.download(try url("/digest"), to: destination, checksum: .announced).file()
            }
            guard case .checksumMismatch(right, _) = error?.transferFailure else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }

    @Test("A37 (i), (v): content of unknown length, and none", arguments: TransportKind.allCases)
    func unknownLength(kind: TransportKind) async throws {
        let session = session(kind, starts: false)
        for (path, text) in [("/chunked", "hello"), ("/empty", "")] {
            let heard = Collector<TransferProgress>()
            let queue = DispatchQueue(label: "test.progress")
            let download = session.download(try url(path), to: .file(scratch.file("f")))
                .onProgress(on: queue) { heard.add($0) }
            let count: Int = await withCheckedContinuation { continuation in
                download.onFile(on: queue) { _ in continuation.resume(returning: heard.count) }
                download.resume()
            }
            queue.sync {}
            #expect(heard.count == count, "nothing after the completion")
            #expect(scratch.text("f") == text)
            let length = Int64(text.utf8.count)
            #expect(heard.all.last == TransferProgress(completed: length, total: length))
            #expect(heard.all.last?.fraction == 1)
            #expect(heard.all.dropLast().allSatisfy { text.isEmpty || $0.total == nil && $0.fraction == nil })
        }
    }

    @Test("A37 (ii): compressed content counts as decoded, of an unknown total", arguments: TransportKind.allCases)
    func compressed(kind: TransportKind) async throws {
        let content = Data(repeating: UInt8(ascii: "a"), count: 700)
        let packed = try Gzip.compress(content)
        server.route(.get, "/gzip", respond: .data(packed, headers: ["Content-Encoding": "gzip", "ETag": "\"z\""]))
        let heard = Collector<TransferProgress>()
        let queue = DispatchQueue(label: "test.progress")
        let session = session(kind, starts: false)
        let download = session.download(try url("/gzip"), to: .file(scratch.file("f")), resumption: .never)
            .onProgress(on: queue) { heard.add($0) }
        _ = try await download.resume().file()
        queue.sync {}
        #expect(try Data(contentsOf: scratch.file("f")) == content)
        #expect(heard.all.last == TransferProgress(completed: 700, total: 700))
        #expect(heard.all.dropLast().allSatisfy { $0.total == nil && $0.completed <= 700 })
    }

    @Test("Other methods, answers of interceptors, refused requests, ended sessions")
    func others() async throws {
        let session = session()
        let post = HTTPRequest(method: .post, url: try url("/report"), body: .data(Data("x".utf8)))
        _ = try await session.download(post, to: .file(scratch.file("f"))).file()
        #expect(scratch.text("f") == "report x")
        let stub = ClosureInterceptor { exchange, _ in .stub(for: exchange, data: Data("0123456789".utf8)) }
        _ = try await session.download(
            try url("/none"), to: .file(scratch.file("f")), checksum: .sha256(DownloadTests.ten), interceptors: [stub]
        ).file()
        #expect(scratch.text("f") == "0123456789")
        let own = scratch.file("own")
        try Data("0123456789".utf8).write(to: own)
        let filed = ClosureInterceptor { exchange, _ in
            HTTPResponse(request: exchange.request, statusCode: 200, body: .file(own))
        }
        let error = await #expect(throws: HTTPError.self) {
            try await session.download(
                try url("/none"), to: .file(scratch.file("g")), checksum: .sha256(String(repeating: "0", count: 64)),
                interceptors: [filed]
            ).file()
        }
        guard case .checksumMismatch = error?.transferFailure else {
            Issue.record("\(String(describing: error))")
            return
        }
        try FileManager.default.removeItem(at: own)
        await #expect(throws: HTTPError.self) { try await session.download("::", to: .file(scratch.file("f"))).file() }
        session.invalidate()
        await #expect(throws: HTTPError.self) {
            try await session.download(try url("/ten"), to: .file(scratch.file("f"))).file()
        }
        #expect(scratch.kept == [] && scratch.names == ["f"])
    }

    @Test("Through the stub transport and from the memory of a stage: the same file")
    func stubbed() async throws {
        let transport = StubTransport { .stub(for: $0, headers: ["ETag": "\"s\""], data: Data("stub".utf8)) }
        let session = SessionManager(configuration: scratch.configuration(), transport: transport)
        let file = try await session.download("http://h/a.txt", to: .directory(scratch.target)).file()
        #expect(file == scratch.file("a.txt") && scratch.text("a.txt") == "stub")
    }
}
