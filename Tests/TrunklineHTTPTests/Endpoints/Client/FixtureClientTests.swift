import Foundation
import Testing
import TrunklineHTTP
import TrunklineTesting

@Suite("A client whose base URL is a directory") @MainActor
struct FixtureClientTests {
    private let scratch: ScratchDirectory
    private let transport = StubTransport { .stub(for: $0, status: 500) }
    private let client: NetworkClient

    init() throws {
        scratch = try ScratchDirectory.made()
        let directory = scratch.url(of: "fixtures")
        let inner = directory.appendingPathComponent("users")
        try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
        try Data(#"[{"id":1,"title":"a"}]"#.utf8).write(to: directory.appendingPathComponent("posts.json"))
        try Data(#"{"id":2,"title":"b"}"#.utf8).write(to: inner.appendingPathComponent("a b.json"))
        try Data("secret".utf8).write(to: scratch.url(of: "secret.json"))
        try FileManager.default.createSymbolicLink(
            at: directory.appendingPathComponent("link.json"), withDestinationURL: scratch.url(of: "secret.json"))
        client = NetworkClient(
            baseURL: directory, session: SessionManager(transport: transport, cache: ResponseCache()))
    }

    @Test("Each path has its own file, and nothing reaches the transport or the token provider")
    func perPath() async throws {
        client.authTokenProvider = BearerTokenProvider { throw HTTPError.offline }
        #expect(try await client.execute(PostRequest.list(user: 1), model: [Post].self) == [Post(id: 1, title: "a")])
        #expect(try await client.execute(APIRequest(path: "users/a%20b.json"), model: Post.self).id == 2)
        let task = HTTPTask.requestParameters(url: ["name": "a b"])
        #expect(try await client.execute(APIRequest(path: "/users/{name}", httpTask: task), model: Post.self).id == 2)
        let response = try await client.response(to: APIRequest(path: "posts", httpMethod: .delete))
        #expect(response.statusCode == 200 && response.headers["Content-Type"] == "application/json")
        let post = try await client.upload(
            APIRequest(path: "posts", httpMethod: .post), content: .json(Post(id: 1, title: "x")), model: [Post].self)
        #expect(post.count == 1)
        let file = try await client.download(APIRequest(path: "posts"), to: scratch.url(of: "copy"))
        #expect(try Data(contentsOf: file).count == 22)
        #expect(transport.requests.isEmpty)
    }

    @Test("A base URL that is a file answers the empty path only")
    func singleFile() async throws {
        let file = scratch.url(of: "fixtures/posts.json")
        let client = NetworkClient(baseURL: file, session: client.session)
        #expect(try await client.execute(APIRequest(path: ""), model: [Post].self).count == 1)
        await #expect(throws: NetworkError.self) {
            try await client.execute(APIRequest(path: "users"), model: [Post].self)
        }
    }

    @Test(
        "A missing fixture is a file error that names it",
        arguments: ["none", "users", "", "users/none", "posts.json/x"])
    func missing(path: String) async throws {
        do {
            try await client.response(to: APIRequest(path: path))
            Issue.record("an answer from nowhere")
        } catch .file(let failure) {
            #expect(failure.reason.contains("fixture"))
        } catch {
            Issue.record("\(error)")
        }
    }

    @Test(
        "No path leads out of the directory",
        arguments: [
            "../secret", "users/../../secret.json", "%2e%2e/secret", "..%2Fsecret.json", "users%2F..%2F..%2Fsecret",
            "link", "link.json", "a%00b", "..%5Csecret", "/../secret",
        ])
    func escapes(path: String) async throws {
        do {
            try await client.response(to: APIRequest(path: path))
            Issue.record("\(path) was answered")
        } catch .file {
        } catch {
            Issue.record("\(error)")
        }
        #expect(transport.requests.isEmpty)
    }
}
