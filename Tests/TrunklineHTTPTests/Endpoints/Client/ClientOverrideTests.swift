import Foundation
import Testing
import TrunklineHTTP
import TrunklineTesting

/// A client as an app in another module subclasses it: every step is its own.
private final class OwnClient: NetworkClient {
    let steps = Collector<String>()

    override var headers: HTTPHeaders {
        get { ["X-Own": "1"] }
        set {}
    }
    override var timeouts: Timeouts {
        get { Timeouts(idle: .seconds(2)) }
        set {}
    }

    override func buildRequest(_ request: any RequestProtocol, token: HTTPHeaders) throws -> HTTPRequest {
        steps.add("request")
        var built = try super.buildRequest(request, token: token)
        built.options.tags = ["own"]
        return built
    }
    override func buildURL(for request: any RequestProtocol) throws -> URL {
        steps.add("url")
        return try URLBuilder.join(base: baseURL, version: "v2", path: request.path)
    }
    override func configureParameters(of request: any RequestProtocol, into built: inout HTTPRequest) throws {
        steps.add("parameters")
        try URLParameterEncoder.query.encode(["common": 1], into: &built)
        try super.configureParameters(of: request, into: &built)
    }
    override func buildHeaders(for request: any RequestProtocol, token: HTTPHeaders) -> HTTPHeaders {
        steps.add("headers")
        return super.buildHeaders(for: request, token: token).merging(["X-Last": "1"])
    }
    override func mapResponse(_ response: HTTPResponse) throws -> HTTPResponse {
        steps.add("map")
        var response = try super.mapResponse(response)
        // Takes the content out of its envelope.
        response.body = .data(Data(response.data.dropFirst("ok:".utf8.count)))
        return response
    }
    override func decode<Model: Decodable & Sendable>(_ type: Model.Type, from response: HTTPResponse) throws -> Model {
        steps.add("decode")
        return try super.decode(type, from: response)
    }
    override func execute<Model: Decodable & Sendable>(
        _ request: any RequestProtocol, progress: ProgressHandler? = nil, model: Model.Type,
        completion: @escaping Completion<Model>
    ) -> RequestHandle {
        steps.add("execute")
        return super.execute(request, progress: progress, model: model, completion: completion)
    }
}

/// A stand-in for a client, with nothing of the library behind it.
private final class MockClient: NetworkClientProtocol {
    var runningTasks: [RunningTask] = []
    var posts: [Post] = []

    func execute<Model: Decodable & Sendable>(
        _ request: any RequestProtocol, progress: ProgressHandler?, model: Model.Type,
        completion: @escaping Completion<Model>
    ) -> RequestHandle {
        completion((posts as? Model).map { .success($0) } ?? .failure(.offline))
        return RequestHandle()
    }
    func execute(
        _ request: any RequestProtocol, progress: ProgressHandler?, completion: @escaping Completion<HTTPResponse>
    ) -> RequestHandle { RequestHandle() }
    func upload<Model: Decodable & Sendable>(
        _ request: any RequestProtocol, content: UploadContent, progress: ProgressHandler?, model: Model.Type,
        completion: @escaping Completion<Model>
    ) -> RequestHandle { RequestHandle() }
    func download(
        _ request: any RequestProtocol, progress: ProgressHandler?, to destination: URL?,
        completion: @escaping Completion<URL>
    ) -> RequestHandle { RequestHandle() }
    func download(
        from url: URL, progress: ProgressHandler?, to destination: URL?, completion: @escaping Completion<URL>
    ) -> RequestHandle { RequestHandle() }
    func cancel(request: any RequestProtocol, completion: (@MainActor (Int) -> Void)?) { completion?(0) }
}

@Suite("Subclassed and mocked clients") @MainActor
struct ClientOverrideTests {
    @Test("A subclass outside the module overrides every step")
    func steps() async throws {
        let transport = StubTransport { .stub(for: $0, data: Data(#"ok:{"id":1,"title":"a"}"#.utf8)) }
        let client = try OwnClient(
            baseURL: "https://h", session: SessionManager(transport: transport, cache: ResponseCache()))
        let task = HTTPTask.requestParameters(url: ["x": 1])
        let post: Post = try await client.execute(APIRequest(path: "posts", httpTask: task))
        #expect(post == Post(id: 1, title: "a"))
        #expect(client.steps.all == ["execute", "request", "url", "parameters", "headers", "map", "decode"])
        let sent = try #require(transport.requests.first)
        #expect(sent.url.absoluteString == "https://h/v2/posts?common=1&x=1")
        #expect(sent.headers["X-Own"] == "1" && sent.headers["X-Last"] == "1")
        #expect(sent.options.tags == ["own"] && sent.options.timeouts?.idle == .seconds(2))
    }

    private struct Refused: Error {}
    private final class RefusingClient: NetworkClient {
        override func mapResponse(_ response: HTTPResponse) throws -> HTTPResponse { throw Refused() }
    }

    @Test("What an overridden step throws reaches the completion as it is")
    func ownErrors() async throws {
        let client = try RefusingClient(
            baseURL: "https://h", session: SessionManager(transport: StubTransport { .stub(for: $0) }))
        do {
            try await client.response(to: APIRequest(path: "a"))
            Issue.record("no error")
        } catch .other(let error) {
            #expect(error is Refused)
        } catch {
            Issue.record("\(error)")
        }
    }

    @Test("Code that takes the protocol can be given a mock")
    func mock() async throws {
        let mock = MockClient()
        mock.posts = [Post(id: 1, title: "a")]
        let client: any NetworkClientProtocol = mock
        #expect(try await client.execute(PostRequest.open, model: [Post].self).count == 1)
        await #expect(throws: NetworkError.self) { try await client.execute(PostRequest.open, model: Post.self) }
        #expect(await client.cancel(request: PostRequest.open) == 0)
    }

    @Test("A base URL given as text is checked")
    func baseURL() {
        #expect(throws: HTTPError.self) { try NetworkClient(baseURL: "posts") }
        #expect(throws: HTTPError.self) { try NetworkClient(baseURL: "http://") }
    }
}
