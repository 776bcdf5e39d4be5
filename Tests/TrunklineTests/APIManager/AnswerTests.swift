import Foundation
import Testing
import Trunkline
import TrunklineTesting

/// What an answer turns into: the kind, the data, the reformed value.
@Suite @MainActor struct AnswerTests {
    private func load(
        _ rig: Rig<TestAPI>, sourceLocation: SourceLocation = #_sourceLocation
    ) async -> APIErrorType {
        let before = rig.screen.ends.count
        rig.manager.loadData()
        #expect(await eventually { rig.screen.ends.count == before + 1 }, sourceLocation: sourceLocation)
        return rig.manager.errorType
    }

    // MARK: - Kinds

    @Test func `statuses without a validator`() async {
        let rig = Rig(TestAPI(), validates: false) { .stub(for: $0, status: 404, json: #"{"e":1}"#) }
        #expect(await load(rig) == .serverError(status: 404, body: Data(#"{"e":1}"#.utf8)))
        #expect(rig.manager.response?.statusCode == 404)
    }

    @Test func `a validator judges client errors, and 5xx never reaches it`() async {
        let status = Protected(404)
        let rig = Rig(TestAPI()) { .stub(for: $0, status: status.current, json: "{}") }
        // A status of failure stays one, whatever the validator says; it may word it.
        #expect(await load(rig) == .serverError(status: 404, body: Data("{}".utf8)))
        #expect(rig.screen.log.contains("validate data"))
        rig.screen.dataVerdict = { .invalid("status \($0.statusCode)") }
        #expect(await load(rig) == .serverError(status: 404, body: Data("{}".utf8)))
        #expect(rig.manager.errorMessage == "status 404")
        status.withLock { $0 = 500 }
        rig.screen.log = []
        #expect(await load(rig) == .serverError(status: 500, body: Data("{}".utf8)))
        #expect(!rig.screen.log.contains("validate data"))
    }

    @Test func `an expired token`() async {
        let rig = Rig(TestAPI(), validates: false) { .stub(for: $0, status: 401, json: "{}") }
        rig.service.tokenErrorStatus = 401
        #expect(await load(rig) == .tokenError)
        #expect(rig.manager.response?.statusCode == 401)
    }

    @Test func `an answer that is not JSON`() async {
        let rig = Rig(TestAPI()) { .stub(for: $0, data: Data("<html>".utf8)) }
        #expect(await load(rig) == .invalidContent)
        #expect(rig.manager.fetchJSONData(Optional<NothingReformer>.none) == .raw(Data("<html>".utf8)))
        rig.manager.content = .any
        #expect(await load(rig) == .success)
    }

    @Test func `an empty answer`() async {
        let status = Protected(200)
        let rig = Rig(TestAPI()) { .stub(for: $0, status: status.current) }
        #expect(await load(rig) == .noContent)
        status.withLock { $0 = 204 }
        #expect(await load(rig) == .success)
        status.withLock { $0 = 200 }
        rig.manager.verb = .post
        #expect(await load(rig) == .success)
    }

    @Test(arguments: [
        (HTTPError.timedOut(.idle), APIErrorType.timeout), (.offline, .noNetwork), (.cancelled, .cancelled),
        (.connectionLost(ConnectionLoss(stage: .duringBody, reason: "x")), .connectionError),
        (.nameResolution(host: "h"), .connectionError), (.invalidResponse(reason: "x"), .invalidContent),
        (.custom(CocoaError(.fileNoSuchFile)), .other),
        (.unsupported(feature: "x", platform: "y"), .requestError),
    ])
    func `transport failures, each its kind and a message`(error: HTTPError, type: APIErrorType) async {
        let rig = Rig(TestAPI()) { _ in throw error }
        #expect(await load(rig) == type)
        #expect(!rig.manager.errorMessage.isEmpty && rig.manager.response == nil)
    }

    @Test func `the subclass may word the message`() async {
        final class Worded: TestAPI {
            override func beforePerformFail(with error: APIError, response: APIResponse?) -> Bool {
                errorMessage = "In our words"
                return super.beforePerformFail(with: error, response: response)
            }
        }
        let rig = Rig(Worded()) { .stub(for: $0, status: 500) }
        rig.manager.loadData()
        #expect(await eventually { rig.screen.ends.count == 1 })
        #expect(rig.manager.errorMessage == "In our words")
    }

    @Test func `before the first load there is nothing, and nothing traps`() {
        let manager = TestAPI()
        #expect(manager.errorType == .default && manager.errorMessage.isEmpty && manager.response == nil)
        #expect(manager.fetchData(Optional<NothingReformer>.none) == .nothing)
        #expect(manager.fetchJSONData(NothingReformer()) == .nothing)
        #expect(manager.fetchFailedRequestMessage(NothingReformer()) == .nothing)
        manager.cancelAllRequests()
        manager.cancelRequest(.next())
    }

    // MARK: - Reformers

    private struct Book: Codable, Equatable { let title: String }
    private struct NothingReformer: APIDataReformer { typealias Output = String }
    private struct BookReformer: APIDataReformer {
        func manager(_ manager: BaseAPIManager, reformJSON data: Data) -> Book? {
            try? JSONDecoder().decode(Book.self, from: data)
        }
        func manager(_ manager: BaseAPIManager, reform json: JSONValue) -> Book? {
            json["title"]?.string.map(Book.init(title:))
        }
        func manager(_ manager: BaseAPIManager, failedToReform data: Data) -> Book? { Book(title: "failed") }
    }

    @Test func `reformed data, and the raw data where the reformer has nothing`() async {
        let json = Protected(#"{"title":"Emma"}"#)
        let rig = Rig(TestAPI()) { .stub(for: $0, json: json.current) }
        _ = await load(rig)
        #expect(rig.manager.fetchJSONData(BookReformer()) == .reformed(Book(title: "Emma")))
        #expect(rig.manager.fetchData(BookReformer()) == .reformed(Book(title: "Emma")))
        #expect(rig.manager.fetchJSONData(NothingReformer()) == .raw(Data(#"{"title":"Emma"}"#.utf8)))
        // A success has no failure message.
        #expect(rig.manager.fetchFailedRequestMessage(BookReformer()) == .nothing)

        // A top-level array is data like any other.
        json.withLock { $0 = "[1]" }
        _ = await load(rig)
        #expect(rig.manager.fetchData(BookReformer()) == .raw([1]))
    }

    @Test func `a failure's own message`() async {
        let rig = Rig(TestAPI(), validates: false) { .stub(for: $0, status: 422, json: "{}") }
        _ = await load(rig)
        #expect(rig.manager.fetchFailedRequestMessage(BookReformer()) == .reformed(Book(title: "failed")))
        #expect(rig.manager.fetchFailedRequestMessage(NothingReformer()) == .raw(Data("{}".utf8)))
    }

    // MARK: - The request

    @Test func `service and endpoint make one request`() async throws {
        let rig = Rig(TestAPI()) { .stub(for: $0, json: "{}") }
        rig.service.params = ["a": "service", "token": "t"]
        rig.service.headers = ["X-Token": "1"]
        rig.manager.method = "items/{id}"
        rig.manager.fixed = ["b": 2]
        rig.screen.params = ["a": "caller", "id": "x/y"]
        _ = await load(rig)
        let request = try #require(rig.stub.requests.first)
        #expect(request.url.absoluteString == "http://h/api/v1/items/x%2Fy?a=service&b=2&token=t")
        #expect(request.headers["X-Token"] == "1" && request.method == .get && request.body == nil)
        #expect(rig.manager.response?.parameters["a"] == .string("service"))

        rig.manager.verb = .post
        rig.service.isProductionEnvironment = false
        _ = await load(rig)
        let posted = try #require(rig.stub.requests.last)
        #expect(posted.url.absoluteString == "http://dev/api/v1/items/x%2Fy")
        #expect(posted.body?.data == Data(#"{"a":"service","b":2,"token":"t"}"#.utf8))
        #expect(posted.headers["Content-Type"] == "application/json")
    }
}
