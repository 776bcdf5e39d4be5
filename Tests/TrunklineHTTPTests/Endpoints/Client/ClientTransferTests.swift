import Foundation
import Testing
import TrunklineHTTP
import TrunklineTesting

@Suite("A client's uploads, downloads and progress") @MainActor
struct ClientTransferTests {
    private let server: LoopbackServer
    private let client: NetworkClient
    private let scratch: ScratchDirectory

    init() throws {
        server = try LoopbackServer { server in
            server.route(.post, "/echo") { request in
                .json([
                    "type": request.headers["Content-Type"] ?? "none", "text": request.text,
                    "query": request.rawQuery ?? "",
                ])
            }
            server.route(.post, "/count", options: .discardsBody) { .json(["count": $0.bodyCount]) }
            server.route(.get, "/file.bin", respond: .generated(count: 1_000_000, seed: 3))
            server.route(.get, "/missing", respond: .json(#"{"why":"gone"}"#, status: 404))
            server.route(.get, "/headers") { .json(["auth": $0.headers["Authorization"] ?? "none"]) }
        }
        client = Clients.client(of: server)
        scratch = try ScratchDirectory.made()
    }

    private let echo = APIRequest(
        path: "echo", httpMethod: .post, httpTask: .requestParameters(url: ["q": "a b"]))

    @Test("A model, bytes, a file and a form, each with its media type, the query beside it")
    func uploads() async throws {
        let model = try await client.upload(echo, content: .json(Post(id: 1, title: "a")), model: [String: String].self)
        #expect(model == ["type": "application/json", "text": #"{"id":1,"title":"a"}"#, "query": "q=a%20b"])
        let bytes = try await client.upload(
            echo, content: .data(Data("png".utf8), contentType: "image/png"), model: [String: String].self)
        #expect(bytes["type"] == "image/png" && bytes["text"] == "png")
        let file = scratch.url(of: "a.csv")
        try Data("1,2".utf8).write(to: file)
        let csv = try await client.upload(echo, content: .file(file), model: [String: String].self)
        #expect(csv["type"] == "text/csv" && csv["text"] == "1,2")
        var form = MultipartFormData(boundary: "B")
        form.append("v", name: "n")
        let parts = try await client.upload(echo, content: .multipart(form), model: [String: String].self)
        #expect(parts["type"] == "multipart/form-data; boundary=B")
        #expect(parts["text"]?.hasPrefix("--B\r\nContent-Disposition: form-data; name=\"n\"\r\n\r\nv\r\n--B--") == true)
    }

    @Test("Content that can't be sent: one failure, nothing sent")
    func refusedUploads() async {
        let body = APIRequest(path: "echo", httpMethod: .post, httpTask: .requestParameters(body: ["x": 1]))
        for (request, content) in [
            (echo, UploadContent.file(scratch.url(of: "none"))), (echo, .json(["x": Double.nan])),
            (body, .data(Data("x".utf8))), (APIRequest(path: "echo"), .data(Data("x".utf8))),
        ] {
            await #expect(throws: NetworkError.self) {
                try await client.upload(request, content: content, model: [String: String].self)
            }
        }
        #expect(server.connectionCount == 0)
    }

    @Test("Upload progress never falls and ends with all of it, before the completion")
    func uploadProgress() async throws {
        let size = 2_000_000
        var seen: [TransferProgress] = []
        let answer = try await client.upload(
            APIRequest(path: "count", httpMethod: .post), content: .data(Data(count: size)),
            progress: { seen.append($0) }, model: [String: Int].self)
        let count = seen.count
        #expect(answer == ["count": size])
        #expect(seen.map(\.completed) == seen.map(\.completed).sorted())
        #expect(seen.last == TransferProgress(completed: Int64(size), total: Int64(size)))
        #expect(seen.allSatisfy { (0...1).contains($0.fraction ?? 0) })
        _ = try await client.response(to: APIRequest(path: "headers"))
        #expect(seen.count == count, "nothing after the completion")
    }

    @Test("A file: at its place before the completion, progress to the end, no trace of the way")
    func download() async throws {
        let destination = scratch.url(of: "deep/er/file.bin")
        var seen: [TransferProgress] = []
        var size: Int?
        let result = await withCheckedContinuation { continuation in
            client.download(APIRequest(path: "file.bin"), progress: { seen.append($0) }, to: destination) { result in
                size = (try? Data(contentsOf: destination))?.count
                continuation.resume(returning: result)
            }
        }
        #expect(try result.get() == destination && size == 1_000_000)
        #expect(
            LoopbackChecksum(of: try Data(contentsOf: destination)).value
                == LoopbackPattern(seed: 3).checksum(count: 1_000_000))
        #expect(seen.last == TransferProgress(completed: 1_000_000, total: 1_000_000))
        #expect(seen.map(\.completed) == seen.map(\.completed).sorted())
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: destination.deletingLastPathComponent().path)
                == ["file.bin"])
    }

    @Test("Without a destination: a file of the caller's own, with the path's extension")
    func temporaryDownload() async throws {
        let first = try await client.download(APIRequest(path: "file.bin?x=.y"), to: nil)
        let second = try await client.download(APIRequest(path: "file.bin"), to: nil)
        #expect(first != second && first.pathExtension == "bin")
        for file in [first, second] {
            #expect(try Data(contentsOf: file).count == 1_000_000)
            try FileManager.default.removeItem(at: file)
        }
    }

    @Test("A failure leaves the old file alone, and its error has the server's words")
    func failedDownload() async throws {
        let destination = scratch.url(of: "kept")
        try Data("old".utf8).write(to: destination)
        do {
            _ = try await client.download(APIRequest(path: "missing"), to: destination)
            Issue.record("no error")
        } catch .notFound(let response) {
            #expect(response.data == Data(#"{"why":"gone"}"#.utf8))
        } catch {
            Issue.record("\(error)")
        }
        let cut = LoopbackResponse.raw([.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"), .close])
        server.route(.get, "/cut", respond: cut)
        await #expect(throws: NetworkError.self) {
            try await client.download(APIRequest(path: "cut"), to: destination)
        }
        #expect(try Data(contentsOf: destination) == Data("old".utf8))
        #expect(await eventually { scratch.files == ["kept"] })
        _ = try await client.download(APIRequest(path: "file.bin"), to: destination)
        #expect(try Data(contentsOf: destination).count == 1_000_000)
    }

    @Test("A place that can't be used is a file error, nothing left behind")
    func unusablePlaces() async throws {
        let file = scratch.url(of: "file")
        try Data().write(to: file)
        let remote = try #require(URL(string: "https://h/x"))
        let directory = scratch.url(of: "directory")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        for place in [directory, file.appendingPathComponent("below"), remote] {
            do {
                _ = try await client.download(APIRequest(path: "file.bin"), to: place)
                Issue.record("\(place) was used")
            } catch .file(let failure) {
                #expect(failure.url.path == place.path)
            } catch {
                Issue.record("\(error)")
            }
        }
        #expect(scratch.files == ["file"])
    }

    @Test("A whole URL: token and client fields only to the client's own origin")
    func wholeURL() async throws {
        client.authTokenProvider = BearerTokenProvider { "t" }
        client.headers = [.authorization("client")]
        let own = try #require(server.url("/headers"))
        let place = scratch.url(of: "a")
        _ = try await client.download(from: own, to: place)
        #expect(try Data(contentsOf: place) == Data(#"{"auth":"Bearer t"}"#.utf8))
        let elsewhere = try LoopbackServer { server in
            server.route(.get, "/headers") { .json(["auth": $0.headers["Authorization"] ?? "none"]) }
        }
        _ = try await client.download(from: try #require(elsewhere.url("/headers")), to: place)
        #expect(try Data(contentsOf: place) == Data(#"{"auth":"none"}"#.utf8))
        let none = try #require(URL(string: "relative"))
        await #expect(throws: NetworkError.self) { try await client.download(from: none, to: place) }
    }

    @Test("Progress of a value; without a length the whole is unknown")
    func dataProgress() async throws {
        let chunks = (0..<5).map { "\($0)" }
        server.route(.get, "/chunks", respond: .chunked(["["] + chunks.map { $0 + ($0 == "4" ? "]" : ",") }))
        var seen: [TransferProgress] = []
        #expect(
            try await client.execute(APIRequest(path: "chunks"), progress: { seen.append($0) }, model: [Int].self).count
                == 5)
        #expect(seen.last == TransferProgress(completed: 11, total: nil))
    }

    @Test("Several transfers at once, each with its own progress")
    func parallelProgress() async throws {
        server.route(.get, "/small", respond: .generated(count: 1_000, seed: 1))
        let large = Collector<TransferProgress>()
        let small = Collector<TransferProgress>()
        async let first = client.download(
            APIRequest(path: "file.bin"), progress: { large.add($0) }, to: scratch.url(of: "1"))
        async let second = client.download(
            APIRequest(path: "small"), progress: { small.add($0) }, to: scratch.url(of: "2"))
        _ = try await (first, second)
        #expect(large.all.last?.completed == 1_000_000 && small.all.last?.completed == 1_000)
        #expect(large.all.allSatisfy { $0.total == 1_000_000 } && small.all.allSatisfy { $0.total == 1_000 })
    }
}
