import Foundation
import Testing
import Trunkline
import TrunklineTesting

private final class SignedService: TestService {
    override var authentication: RequestAuthentication { .none }
    override var signing: RequestSigning? {
        RequestSigning { request, _ in
            request.headers["X-Signed"] =
                "\(request.headers["Idempotency-Key"] ?? "") \(request.body?.data?.count ?? -1)"
        }
    }
}

@MainActor @Suite struct OutboxServiceTests {
    private let directory = OutboxDirectory()

    @Test func `A service says where to, and with which token, when the request is sent`() async throws {
        let service = TestService()
        let stub = StubTransport { HTTPResponse(request: $0.request, statusCode: 200) }
        service.transport = stub
        let factory = ServiceFactory()
        factory.register(.test) { service }
        let outbox = try Outbox(directory: directory.url, serviceFactory: factory)
        try await outbox.enqueue(
            .post("/favourites/{id}", parameters: ["id": 4, "x": "y z"], encoding: .query), service: .test)
        let stored = try directory.entryFiles.map { try Data(contentsOf: $0) }
        service.headers = ["Authorization": "Bearer t"]
        service.base = "http://later/api"
        await outbox.start()
        #expect(await eventually(outbox) { $0.isEmpty })
        let request = try #require(stub.requests.first)
        #expect(request.url.absoluteString == "http://later/api/v1/favourites/4?x=y%20z")
        #expect(request.headers["Authorization"] == "Bearer t")
        #expect(stored.allSatisfy { $0.range(of: Data("Bearer".utf8)) == nil })
    }

    @Test func `The service signs each attempt and says with whose credential`() async throws {
        let service = SignedService()
        let stub = StubTransport { HTTPResponse(request: $0.request, statusCode: 200) }
        service.transport = stub
        let factory = ServiceFactory()
        factory.register(.test) { service }
        let outbox = try Outbox(directory: directory.url, serviceFactory: factory)
        try await outbox.enqueue(
            .post("favourites", headers: ["Idempotency-Key": "own"], body: .text("four")), service: .test)
        await outbox.start()
        #expect(await eventually(outbox) { $0.isEmpty })
        let request = try #require(stub.requests.first)
        #expect(request.headers["X-Signed"] == "own 4")
        guard case .none = request.options.authentication else {
            Issue.record("\(request.options.authentication)")
            return
        }
    }

    @Test func `An entry of a service that is not there yet waits, and nothing is lost`() async throws {
        let factory = ServiceFactory()
        let clock = TestClock()
        let outbox = try Outbox(
            directory: directory.url, configuration: OutboxConfiguration(maximumAttempts: 1), serviceFactory: factory,
            clock: clock)
        try await outbox.enqueue(.post("/late"), service: .test)
        await outbox.start()
        await clock.waitForSleepers()
        #expect(await outbox.entries.map(\.attempts) == [0])
        let service = TestService()
        let stub = StubTransport { HTTPResponse(request: $0.request, statusCode: 200) }
        service.transport = stub
        factory.register(.test) { service }
        clock.advance(by: .seconds(60))
        #expect(await eventually(outbox) { $0.isEmpty })
        #expect(stub.requests.map(\.url.path) == ["/api/v1/late"])
    }
}
