import Foundation
import Testing
import TrunklineTesting

@testable import TrunklineHTTP

@Suite("Downloads that go on") struct DownloadResumptionTests {
    private let scratch: TransferScratch

    init() throws { scratch = try TransferScratch() }

    private static func part(_ text: String, _ range: String, etag: String? = "\"v1\"") -> LoopbackResponse {
        var headers: HTTPHeaders = ["Content-Range": range]
        if let etag { headers.set("ETag", etag) }
        return .data(Data(text.utf8), status: 206, headers: headers)
    }

    private static func whole(_ text: String, etag: String) -> LoopbackResponse {
        .data(Data(text.utf8), headers: ["ETag": etag])
    }

    /// A36: 4 bytes of `0123456789` with the tag `"v1"` are there; what the server says to the range, what comes of it.
    enum Answer: CaseIterable, Sendable {
        case rest, changed, fromTheStart, refused, wrongStart, otherTotal, otherTag, noRange, coded, tooLong, parts

        var response: LoopbackResponse {
            switch self {
            case .rest: part("456789", "bytes 4-9/10")
            case .changed: whole("ABCDEFGHIJ", etag: "\"v2\"")
            case .fromTheStart: part("0123456789", "bytes 0-9/10")
            case .refused: .status(416, headers: ["Content-Range": "bytes */10"])
            case .wrongStart: part("56789", "bytes 5-9/10")
            case .otherTotal: part("456789", "bytes 4-9/11")
            case .otherTag: part("456789", "bytes 4-9/10", etag: "\"v2\"")
            case .noRange: .data(Data("456789".utf8), status: 206)
            case .coded:
                .data(
                    Data("456789".utf8), status: 206,
                    headers: ["Content-Range": "bytes 4-9/10", "Content-Encoding": "x"])
            case .tooLong: .data(Data("4567890123".utf8), status: 206, headers: ["Content-Range": "bytes 4-9/10"])
            case .parts: .data(Data("--x".utf8), contentType: "multipart/byteranges; boundary=x", status: 206)
            }
        }

        var content: String { self == .changed ? "ABCDEFGHIJ" : "0123456789" }
        /// How many requests it takes: a second one without a range where the answer can't be used.
        var requests: Int {
            switch self {
            case .rest, .changed, .fromTheStart: 1
            default: 2
            }
        }
    }

    @Test("A36: what the server answers, and what the file is", arguments: TransportKind.allCases, Answer.allCases)
    func answers(kind: TransportKind, answer: Answer) async throws {
        let server = try LoopbackServer { server in
            server.route(.get, "/f") { request in
                request.headers.contains("Range")
                    ? answer.response : DownloadResumptionTests.whole("0123456789", etag: "\"v1\"")
            }
        }
        let url = try #require(server.url("/f"))
        try scratch.leave("0123", of: url, validator: "\"v1\"")
        let session = kind.session(scratch.configuration { $0.startsRequestsImmediately = false })
        let download = session.download(url, to: .file(scratch.file("f")))
        let seen = Collector<TransferProgress>()
        let values = Task {
            for await value in download.progress { seen.add(value) }
        }
        let response = try await download.resume().response()
        await values.value
        guard case .file(scratch.file("f")) = response.body else {
            Issue.record("\(response.body)")
            return
        }
        #expect(scratch.text("f") == answer.content)
        #expect(scratch.names == ["f"] && scratch.kept == [])
        let requests = server.requests
        #expect(requests.count == answer.requests)
        #expect(requests.first?.headers["Range"] == "bytes=4-" && requests.first?.headers["If-Range"] == "\"v1\"")
        #expect(requests.first?.headers["Accept-Encoding"] == "identity")
        if requests.count > 1 { #expect(requests.last?.headers.contains("Range") == false) }
        #expect(seen.all.last == TransferProgress(completed: 10, total: 10))
        #expect(seen.all.allSatisfy { (0...1).contains($0.fraction ?? 0) })
        // Streams keep the newest value only, so what must not be there is all that can be told.
        if answer == .rest { #expect(seen.all.allSatisfy { $0.completed >= 4 }) }
    }

    @Test("A36 (ii), (v): progress restarts from 0 where the content does", arguments: [true, false])
    func progressFallsBack(isChanged: Bool) async throws {
        let server = try LoopbackServer { server in
            server.route(.get, "/f", respond: DownloadResumptionTests.whole("ABCDEFGHIJ", etag: "\"v2\""))
        }
        let url = try #require(server.url("/f"))
        try scratch.leave("0123", of: url, validator: isChanged ? "\"v1\"" : nil)
        let session = SessionManager(configuration: scratch.configuration { $0.startsRequestsImmediately = false })
        let heard = Collector<TransferProgress>()
        let queue = DispatchQueue(label: "test.progress")
        let download = session.download(url, to: .file(scratch.file("f"))).onProgress(on: queue) { heard.add($0) }
        _ = try await download.resume().file()
        queue.sync {}
        #expect(heard.all.first == TransferProgress(completed: 0, total: 10))
        #expect(heard.all.last == TransferProgress(completed: 10, total: 10))
        #expect(server.requests.first?.headers.contains("Range") == isChanged)
    }

    @Test("A36 (i): progress starts with what was there")
    func progressGoesOn() async throws {
        let server = try LoopbackServer { server in
            server.route(.get, "/f", respond: DownloadResumptionTests.part("456789", "bytes 4-9/10"))
        }
        let url = try #require(server.url("/f"))
        try scratch.leave("0123", of: url, validator: "\"v1\"")
        let session = SessionManager(configuration: scratch.configuration { $0.startsRequestsImmediately = false })
        let heard = Collector<TransferProgress>()
        let queue = DispatchQueue(label: "test.progress")
        let download = session.download(url, to: .file(scratch.file("f"))).onProgress(on: queue) { heard.add($0) }
        _ = try await download.resume().file()
        queue.sync {}
        #expect(heard.all.first == TransferProgress(completed: 4, total: 10))
        #expect(heard.all.last == TransferProgress(completed: 10, total: 10))
    }

    @Test("A36 (v): a weak validator, or none, is never resumed from", arguments: ["W/\"v1\"", nil, "v1"])
    func weak(etag: String?) async throws {
        let cut = "HTTP/1.1 200 OK\r\n\(etag.map { "ETag: \($0)\r\n" } ?? "")Content-Length: 10\r\n\r\n0123"
        let server = try LoopbackServer { server in
            server.route(.get, "/f", respond: .raw([.send(cut), .close]))
        }
        let url = try #require(server.url("/f"))
        let session = SessionManager(configuration: scratch.configuration())
        let error = await #expect(throws: HTTPError.self) {
            try await session.download(url, to: .file(scratch.file("f"))).file()
        }
        guard case .connectionLost = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(scratch.kept == [] && scratch.names == [])
        server.route(.get, "/f", respond: DownloadResumptionTests.whole("0123456789", etag: "\"v1\""))
        _ = try await session.download(url, to: .file(scratch.file("f"))).file()
        #expect(scratch.text("f") == "0123456789")
        #expect(server.requests.last?.headers.contains("Range") == false)
    }

    @Test("Last-Modified counts where it is a second older than Date, and there is no entity tag")
    func dates() {
        let old = "Sun, 06 Nov 1994 08:49:37 GMT"
        func validator(_ headers: HTTPHeaders) -> String? { DownloadValidator(headers)?.text }
        #expect(validator(["Last-Modified": old, "Date": "Sun, 06 Nov 1994 08:49:38 GMT"]) == old)
        #expect(validator(["Last-Modified": old, "Date": old]) == nil)
        #expect(validator(["Last-Modified": old]) == nil)
        #expect(validator(["ETag": "W/\"a\"", "Last-Modified": old, "Date": "Sun, 06 Nov 1994 09:49:38 GMT"]) == nil)
        #expect(validator(["ETag": "\"a\"", "Last-Modified": old]) == "\"a\"")
    }
}
