import Foundation
import Testing
import TrunklineTesting

@testable import TrunklineHTTP

@Suite("Uploads") struct UploadTests {
    private let scratch: TransferScratch
    private let server: LoopbackServer
    private let attempts = Protected(0)

    init() throws {
        scratch = try TransferScratch()
        let attempts = attempts
        server = try LoopbackServer { server in
            server.route(nil, "/echo") { .text("\($0.method) \($0.headers["Content-Type"] ?? "") \($0.text)") }
            server.route(.post, "/count", options: .discardsBody) { .json(["count": $0.bodyCount]) }
            server.route(.put, "/flaky", options: .discardsBody) { _ in
                let attempt = attempts.withLock { count in
                    count += 1
                    return count
                }
                return .status(attempt == 1 ? 503 : 200)
            }
        }
    }

    private func url(_ path: String) throws -> URL { try #require(server.url(path)) }

    @Test(
        "Data, a file, a stream, a form; POST by default, another method where it is named",
        arguments: TransportKind.allCases)
    func contents(kind: TransportKind) async throws {
        let session = kind.session()
        try scratch.write("1,2", to: "a.csv")
        var form = MultipartFormData(boundary: "B")
        form.append("v", name: "n")
        let contents: [(UploadContent, String)] = [
            (.data(Data("d".utf8), contentType: "text/x"), "text/x d"), (.file(scratch.file("a.csv")), "text/csv 1,2"),
            (
                .stream(length: 2, contentType: "text/y") {
                    AsyncThrowingStream {
                        $0.yield(Data("st".utf8)); $0.finish()
                    }
                },
                "text/y st"
            ),
            (
                .stream(contentType: "text/y") {
                    AsyncThrowingStream {
                        $0.yield(Data("ch".utf8)); $0.finish()
                    }
                }, "text/y ch"
            ),
            (
                .multipart(form),
                "multipart/form-data; boundary=B --B\r\nContent-Disposition: form-data; name=\"n\"\r\n\r\nv\r\n--B--\r\n"
            ),
        ]
        for (content, expected) in contents {
            #expect(try await session.upload(content, to: try url("/echo")).response().string() == "POST " + expected)
        }
        let put = HTTPRequest(method: .put, url: try url("/echo"))
        #expect(
            try await session.upload(.data(Data("d".utf8), contentType: "a/b"), to: put).response().string()
                == "PUT a/b d")
    }

    @Test("Content that can't be made: one failure, nothing sent")
    func unmade() async throws {
        let session = SessionManager()
        let withBody = HTTPRequest(method: .post, url: try url("/echo"), body: .data(Data()))
        await #expect(throws: HTTPError.self) {
            try await session.upload(.file(scratch.file("no")), to: try url("/echo")).response()
        }
        await #expect(throws: HTTPError.self) { try await session.upload(.data(Data()), to: withBody).response() }
        await #expect(throws: HTTPError.self) { try await session.upload(.data(Data()), to: "::").response() }
        let head = HTTPRequest(method: .head, url: try url("/echo"))
        await #expect(throws: HTTPError.self) { try await session.upload(.data(Data()), to: head).response() }
        #expect(server.connectionCount == 0)
    }

    @Test("A37 (iii), (v): 200000 bytes, and none; nothing after the completion", arguments: TransportKind.allCases)
    func progress(kind: TransportKind) async throws {
        let session = kind.session(SessionConfiguration(startsRequestsImmediately: false))
        for size in [200_000, 0] {
            for isFile in [true, false] {
                let data = Data(count: size)
                try data.write(to: scratch.file("u"))
                let heard = Collector<TransferProgress>()
                let queue = DispatchQueue(label: "test.progress")
                let upload = session.upload(isFile ? .file(scratch.file("u")) : .data(data), to: try url("/count"))
                    .onProgress(on: queue) { heard.add($0) }
                let count: Int = await withCheckedContinuation { continuation in
                    upload.onResponse(on: queue) { _ in continuation.resume(returning: heard.count) }
                    upload.resume()
                }
                queue.sync {}
                #expect(heard.count == count)
                let values = heard.all.map(\.completed)
                #expect(values == values.sorted() && Set(values).count == values.count)
                #expect(heard.all.first == TransferProgress(completed: 0, total: Int64(size)))
                #expect(heard.all.last == TransferProgress(completed: Int64(size), total: Int64(size)))
                #expect(heard.all.last?.fraction == 1)
                #expect(try await upload.value(of: [String: Int].self) == ["count": size])
            }
        }
    }

    @Test("A37 (iv): 503, then 200: progress falls to 0 once and ends at 1", arguments: TransportKind.allCases)
    func retried(kind: TransportKind) async throws {
        let session = kind.session(
            SessionConfiguration(
                retry: RetryPolicy(limit: 2, baseDelay: .milliseconds(1)), startsRequestsImmediately: false))
        let heard = Collector<TransferProgress>()
        let queue = DispatchQueue(label: "test.progress")
        let request = HTTPRequest(method: .put, url: try url("/flaky"))
        let upload = session.upload(.data(Data(count: 200_000)), to: request).onProgress(on: queue) { heard.add($0) }
        _ = try await upload.resume().response()
        queue.sync {}
        let values = heard.all.map(\.completed)
        let falls = zip(values, values.dropFirst()).filter { $0 > $1 }
        #expect(falls.count == 1 && falls.first?.1 == 0)
        #expect(values.filter { $0 == 0 }.count == 2 && values.allSatisfy { $0 <= 200_000 })
        #expect(heard.all.last == TransferProgress(completed: 200_000, total: 200_000))
        #expect(server.requestCount == 2)
    }

    /// A13: what is wrong with the part, and how it shows.
    enum BadPart: CaseIterable, Sendable { case short, long, deleted, directory }

    @Test("A13: a part of another length", arguments: TransportKind.allCases, BadPart.allCases)
    func badParts(kind: TransportKind, part: BadPart) async throws {
        var form = MultipartFormData()
        let chunks: @Sendable (Int) -> RequestBody.Chunks = { count in
            AsyncThrowingStream {
                $0.yield(Data(count: count))
                $0.finish()
            }
        }
        let gone = scratch.file("gone")
        switch part {
        case .short: form.append(length: 10, name: "p", fileName: "f") { chunks(4) }
        case .long: form.append(length: 4, name: "p", fileName: "f") { chunks(10) }
        case .deleted:
            try Data("x".utf8).write(to: gone)
            form.append(file: gone, name: "p")
            try FileManager.default.removeItem(at: gone)
        case .directory: form.append(file: scratch.target, name: "p")
        }
        let session = kind.session()
        let seconds = try await best(below: 1) {
            let heard = Collector<DataRequest.Outcome>()
            let start = ContinuousClock.now
            let upload = session.upload(.multipart(form), to: try url("/count"))
            upload.onResponse(on: .global()) { heard.add($0) }
            let error = await #expect(throws: HTTPError.self) { try await upload.response() }
            let seconds = (ContinuousClock.now - start).seconds
            guard case .invalidRequest(.multipart(let failure)) = error else {
                Issue.record("\(String(describing: error))")
                return 0
            }
            switch part {
            case .short: #expect(failure.reason == .unexpectedLength(expected: 10, actual: 4))
            case .long: #expect(failure.reason == .unexpectedLength(expected: 4, actual: 10))
            case .deleted, .directory:
                guard case .unreadable = failure.reason else {
                    Issue.record("\(failure)")
                    return 0
                }
            }
            #expect(await eventually { heard.count == 1 })
            return seconds
        }
        #expect(seconds < (Sanitizer.isThread ? 30 : 1))
        #expect(server.completeBodies == 0 && server.requestCount == 0)
    }

    @Test(
        "A14: 64 MiB in five ways: nothing left, one callback, little memory, the right bytes",
        arguments: TransportKind.allCases)
    func large(kind: TransportKind) async throws {
        let file = scratch.file("large.bin")
        let temporary = scratch.root.appendingPathComponent("tmp", isDirectory: true)
        try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: true)
        server.route(.get, "/warm", respond: .text("warm"))
        server.route(.post, "/200", respond: .status(200))
        server.route(.post, "/500", options: .discardsBody, respond: .status(500))
        server.route(.post, "/cancelled", options: .discardsBody, respond: .status(200))
        server.route(.post, "/unreadable", options: .discardsBody, respond: .status(200))
        server.recordsRequests = true
        let tool = try #require(ChildProcess.tool("ResourceProbe"))
        let arguments = ["upload", server.baseURL.absoluteString, file.path, kind.make().capabilities.name]
        try await HeavyWork.run {
            let pattern = LoopbackPattern(seed: 14)
            try Data().write(to: file)
            let handle = try FileHandle(forWritingTo: file)
            for part: Int64 in 0..<64 {
                try handle.write(contentsOf: pattern.bytes(from: part << 20, count: 1 << 20))
            }
            try handle.close()
            let result = try ChildProcess.run(tool, arguments, environment: ["TMPDIR": temporary.path])
            #expect(result.exitStatus == 0, "\(result.complaints)")
            for name in ["200", "500", "cancelled", "refused", "unreadable"] {
                #expect(result.lines.contains("\(name).clean 1"), "\(result.output)")
                #expect(result.lines.contains("\(name).callbacks 1"))
                #expect(result.lines.contains("\(name).success \(name == "200" ? 1 : 0)"))
            }
            let growth = result.lines.first { $0.hasPrefix("growth ") }.flatMap { Int($0.dropFirst(7)) }
            // A sanitizer keeps memory of its own for each byte.
            if let growth, !Sanitizer.isThread {
                #expect(growth < 32 << 20, "\(growth >> 20) MiB")
            }
            #expect(FileManager.default.fileExists(atPath: file.path))
            let request = try #require(server.requests.first { $0.path == "/200" })
            let end = try #require(request.body.range(of: Data("\r\n\r\n".utf8))?.upperBound)
            let part = scratch.file("part.bin")
            try request.body.dropFirst(end - request.body.startIndex).prefix(64 << 20).write(to: part)
            #expect(try ChildProcess.sha256(of: part) == ChildProcess.sha256(of: file))
            #expect(server.requestCount(path: "/unreadable") == 0 && server.requestCount(path: "/cancelled") == 0)
        }
    }
}
