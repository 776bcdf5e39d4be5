import Foundation
import Testing
import TrunklineTesting

/// The samples of the article "Testing your API layer".
@Suite("Samples of the article on testing")
struct TestingYourAPILayerTests {
    @Test("Stubs")
    func stubs() async throws {
        let stubs = StubTransport()
        stubs.when(.get, "/items/{id}", answer: .json(#"{"title": "Emma"}"#))
        stubs.when(
            .post, "/items", .header("Accept", "application/json"), .json(containing: ["title": "Emma"]),
            answers: [.status(503), .json(#"{"id": 7}"#, status: 201)], then: .fails)
        let session = SessionManager(transport: stubs)

        let response = try await session.request("https://api.example.com/items/7").response()
        try stubs.verify(.get, "/items/7", count: .once)
        #expect(response.data == Data(#"{"title": "Emma"}"#.utf8))

        let clock = TestClock()
        let slow = StubTransport(clock: clock)
        slow.when(.get, "/report", answer: .text("long").delayed(by: .seconds(20)).throttled(bytesPerSecond: 100))
        slow.when(.get, "/broken", answer: .data(Data(count: 1000)).dropped(afterBytes: 500))
        slow.when(.get, "/offline", answer: .failure(.offline))
        #expect(slow.unusedStubs.count == 3)

        let network = ConditionedTransport(stubs, conditions: .poor, clock: clock, seed: 7)
        let mobile = SessionManager(transport: network)
        network.conditions.isOffline = true
        _ = try await expectFailure { try await mobile.request("https://api.example.com/items/7").response() }
    }

    @Test("The message the article quotes")
    func message() async throws {
        let stubs = StubTransport()
        stubs.when(.get, "/items?page=1", answer: .status(200))
        stubs.when(.get, "/shops", answer: .status(200))
        stubs.when(.delete, "/items/{id}", answer: .status(200))
        let asked = try request(.get, "https://api.example.com/items?page=2")
        let error = try await expectFailure { try await stubs.answer(asked) }
        #expect(
            error.description == "No stub answers GET https://api.example.com/items?page=2. The nearest of 3 is "
                + "GET /items?page=1: the query item \"page\" is \"2\", wanted \"1\".")
    }

    @Test("Cassettes and the server")
    func server() async throws {
        let directory = try ScratchDirectory()
        let tape = directory.file("tape.har")
        let server = try LoopbackServer { server in
            server.addStandardRoutes()
            server.route(.get, "/items/{id}") { request in .json(["id": request["id"] ?? ""]) }
        }
        let online = SessionManager()
        let echo = try await online.request("\(server.baseURL)/get?page=2").response()
        #expect(try JSONValue(parsing: echo.data)["args"] == ["page": "2"])

        let cassette = try CassetteTransport(DefaultTransport.make(), file: tape, mode: .recordMissing)
        let recording = SessionManager(transport: cassette)
        let item = try await recording.request("\(server.baseURL)/items/7").response()
        #expect(item.data == Data(#"{"id":"7"}"#.utf8))
        #expect(try HARFile(contentsOf: tape).log.entries.count == 1)
    }
}
