import Foundation
import Testing

@testable import TrunklineHTTP

@Suite("Multipart forms")
struct MultipartFormDataTests {
    /// Runs with a directory of its own that is gone afterwards.
    private func withDirectory(_ work: (URL) async throws -> Void) async throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        try await work(directory)
    }

    private static func stream(_ chunks: [Data]) -> RequestBody.Chunks {
        RequestBody.Chunks { continuation in
            for chunk in chunks { continuation.yield(chunk) }
            continuation.finish()
        }
    }

    private func bytes(_ body: RequestBody) async throws -> Data {
        switch body.source {
        case .data(let data): return data
        case .file(let url, _): return try Data(contentsOf: url)
        case .stream(_, _, let make):
            var data = Data()
            for try await chunk in try make() {
                #expect(!chunk.isEmpty && chunk.count <= 2 * MultipartReader.chunkSize)
                data.append(chunk)
            }
            return data
        }
    }

    private func failure(_ work: () async throws -> Void) async -> MultipartFailure? {
        do {
            try await work()
            return nil
        } catch HTTPError.invalidRequest(.multipart(let failure)) {
            return failure
        } catch {
            Issue.record("wrong error \(error)")
            return nil
        }
    }

    private static let expected =
        "--XyZ\r\nContent-Disposition: form-data; name=\"a%22b\"\r\n\r\n1\r\n"
        + "--XyZ\r\nContent-Disposition: form-data; name=\"f\"; filename=\"q%22u%0D%0AX-Evil: 1.txt\"\r\n"
        + "Content-Type: text/plain\r\n\r\nhi\r\n"
        + "--XyZ\r\nContent-Disposition: form-data; name=\"g\"; filename=\"天狗.png\"\r\n"
        + "Content-Type: image/png\r\n\r\n\r\n--XyZ--\r\n"

    @Test("A12: the exact bytes, and every way of encoding gives the same")
    func exactBytes() async throws {
        try await withDirectory { directory in
            let hi = directory.appendingPathComponent("hi")
            try Data("hi".utf8).write(to: hi)
            let hostile = "q\"u\r\nX-Evil: 1.txt"
            var inMemory = MultipartFormData(boundary: "XyZ")
            inMemory.append("1", name: "a\"b")
            inMemory.append(Data("hi".utf8), name: "f", fileName: hostile, contentType: "text/plain")
            inMemory.append(Data(), name: "g", fileName: "天狗.png")
            var fromDisk = MultipartFormData(boundary: "XyZ")
            fromDisk.append("1", name: "a\"b")
            fromDisk.append(file: hi, name: "f", fileName: hostile)
            fromDisk.append(length: 0, name: "g", fileName: "天狗.png", contentType: "image/png") { Self.stream([]) }

            for form in [inMemory, fromDisk] {
                let body = try RequestBody.multipart(form)
                #expect(body.contentType == "multipart/form-data; boundary=XyZ")
                #expect(body.contentLength == Int64(Self.expected.utf8.count))
                #expect(body.isReplayable)
                #expect(try await bytes(body) == Data(Self.expected.utf8))
                #expect(try await bytes(body) == Data(Self.expected.utf8), "a second attempt")
                #expect(try await form.encoded() == Data(Self.expected.utf8))
                let file = directory.appendingPathComponent("body")
                try await form.write(to: file)
                #expect(try Data(contentsOf: file) == Data(Self.expected.utf8))
            }
            #expect(try RequestBody.multipart(inMemory).data != nil)
            #expect(try RequestBody.multipart(fromDisk).data == nil)
        }
    }

    @Test("A13: a stream that is shorter or longer than declared", arguments: [(10, [2, 2]), (4, [3, 7]), (0, [1])])
    func streamLengths(declared: Int, chunks: [Int]) async throws {
        var form = MultipartFormData()
        form.append(length: Int64(declared), name: "s") { Self.stream(chunks.map { Data(repeating: 1, count: $0) }) }
        let body = try RequestBody.multipart(form)
        let found = await failure { _ = try await bytes(body) }
        #expect(found?.part == "s")
        #expect(
            found?.reason == .unexpectedLength(expected: Int64(declared), actual: Int64(chunks.reduce(0, +))))
        #expect(await failure { _ = try await form.encoded() } == found)
    }

    @Test("A13: a file that is missing or a directory, before anything is sent; and one that changes while it is sent")
    func files() async throws {
        try await withDirectory { directory in
            let file = directory.appendingPathComponent("log.txt")
            try Data(repeating: 7, count: 10).write(to: file)
            var form = MultipartFormData()
            form.append(file: file, name: "f")
            let body = try RequestBody.multipart(form)

            try Data(repeating: 7, count: 25).write(to: file)
            var found = await failure { _ = try await bytes(body) }
            #expect(found?.reason == .unexpectedLength(expected: 10, actual: 25))
            try Data(repeating: 7, count: 4).write(to: file)
            found = await failure { _ = try await bytes(body) }
            #expect(found?.reason == .unexpectedLength(expected: 10, actual: 4))

            try FileManager.default.removeItem(at: file)
            for work: () async throws -> Void in [
                { _ = try await bytes(body) }, { _ = try RequestBody.multipart(form) },
                { _ = try await form.encoded() }, { try await form.write(to: directory.appendingPathComponent("out")) },
            ] {
                guard case .unreadable = await failure(work)?.reason else {
                    Issue.record("not reported as unreadable")
                    continue
                }
            }
            var ofDirectory = MultipartFormData()
            ofDirectory.append(file: directory, name: "d")
            guard case .unreadable = await failure({ _ = try RequestBody.multipart(ofDirectory) })?.reason else {
                Issue.record("a directory was accepted")
                return
            }
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: directory.path) == [], "something was left behind")
        }
    }

    @Test("A stream that fails, and one that can't be made")
    func failingStreams() async throws {
        struct Broken: Error {}
        for make: @Sendable () throws -> RequestBody.Chunks in [
            { RequestBody.Chunks { throw Broken() } }, { throw Broken() },
        ] {
            var form = MultipartFormData()
            form.append(length: 3, name: "s", stream: make)
            guard case .unreadable = await failure({ _ = try await form.encoded() })?.reason else {
                Issue.record("not reported as unreadable")
                continue
            }
        }
        var negative = MultipartFormData()
        negative.append(length: -1, name: "s") { Self.stream([]) }
        #expect(await failure { _ = try RequestBody.multipart(negative) } != nil)
        var huge = MultipartFormData()
        huge.append(length: .max, name: "s") { Self.stream([]) }
        #expect(throws: HTTPError.self) { try RequestBody.multipart(huge) }
    }

    @Test("Writing to a file keeps the old one when it fails")
    func failedWrite() async throws {
        try await withDirectory { directory in
            let file = directory.appendingPathComponent("out")
            try Data("old".utf8).write(to: file)
            var form = MultipartFormData()
            form.append(length: 3, name: "s") { Self.stream([]) }
            #expect(await failure { try await form.write(to: file) } != nil)
            #expect(try Data(contentsOf: file) == Data("old".utf8))
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["out"])
            let nowhere = directory.appendingPathComponent("missing/out")
            await #expect(throws: HTTPError.self) { try await MultipartFormData().write(to: nowhere) }
        }
    }

    @Test("A boundary that is given is checked, one that is chosen can't occur in a part")
    func boundaries() throws {
        for text in ["--XyZ", "a\r\n--XyZ--\r\n", "----XyZ"] {
            var form = MultipartFormData(boundary: "XyZ")
            form.append(text, name: "a")
            #expect(throws: HTTPError.self) { try RequestBody.multipart(form) }
        }
        var form = MultipartFormData(boundary: "XyZ")
        form.append("-XyZ --Xy --xyz", name: "a")
        #expect(throws: Never.self) { try RequestBody.multipart(form) }
        for boundary in ["", "a b ", "ä", "a\r\n", String(repeating: "a", count: 71), "a\"b"] {
            #expect(throws: HTTPError.self) { try RequestBody.multipart(MultipartFormData(boundary: boundary)) }
        }
        #expect(MultipartFormData(boundary: "a b").contentType == "multipart/form-data; boundary=\"a b\"")

        let first = MultipartFormData()
        #expect(first.boundary != MultipartFormData().boundary)
        #expect(first.boundary.utf8.count <= 70)
        var colliding = first
        colliding.append("x--\(first.boundary)", name: "a")
        #expect(colliding.boundary != first.boundary)
        #expect(throws: Never.self) { try RequestBody.multipart(colliding) }
    }

    @Test("A type with a line break is refused")
    func hostileContentType() {
        var form = MultipartFormData()
        form.append("1", name: "a", contentType: "text/plain\r\nX-Evil: 1")
        #expect(throws: HTTPError.self) { try RequestBody.multipart(form) }
    }

    @Test("Media types by extension")
    func mediaTypes() {
        #expect(MIMEType.of(fileName: "a.PNG") == "image/png")
        #expect(MIMEType.of(fileName: "a.tar.gz") == "application/gzip")
        #expect(MIMEType.of(fileName: "noextension") == "application/octet-stream")
        #expect(MIMEType.of(fileName: "a.") == "application/octet-stream")
        #expect(MIMEType.of(extension: "unknown") == nil)
    }

    /// In a process of its own, whose memory nobody else takes.
    @Test("A14: a big file is read in chunks and never whole")
    func bigFile() async throws {
        let found = try await ResourceFindings("multipart")
        #expect(try #require(found["bytes"]) > 256 << 20)
        #expect(found["bytes"] == found["announced"])
        if let memory = found["memory"] { #expect(memory < 64 << 20, "the process grew by \(memory) bytes") }
    }
}
