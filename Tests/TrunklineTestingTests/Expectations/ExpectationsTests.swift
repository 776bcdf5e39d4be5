import Foundation
import Testing
import TrunklineTesting

@Suite("Expectations")
struct ExpectationsTests {
    @Test("A success gives its value; a failure says what came, credentials masked")
    func success() async throws {
        #expect(try await expectSuccess { 7 } == 7)
        let stubs = StubTransport()
        stubs.when(answer: .json(#"{"error":"full","token":"planted"}"#, status: 507))
        let session = SessionManager(transport: stubs)
        let failure = await #expect(throws: TestFailure.self) {
            try await expectSuccess { try await session.request("https://api.test/a?token=planted").response() }
        }
        let text = failure?.description ?? ""
        #expect(text.contains("ExpectationsTests.swift:") && text.contains("status 507") && text.contains("full"))
        #expect(!text.contains("planted"))
    }

    @Test("A failure gives its error; a success, or another failure, is one")
    func failure() async throws {
        let error = try await expectFailure { throw HTTPError.offline }
        guard case .offline = error else {
            Issue.record("\(error)")
            return
        }
        let host = try await expectFailure(
            as: { (error: HTTPError) -> String? in
                if case .nameResolution(let host) = error { host } else { nil }
            }) { throw HTTPError.nameResolution(host: "h") }
        #expect(host == "h")
        let success = await #expect(throws: TestFailure.self) { _ = try await expectFailure { "a value" } }
        #expect(success?.description.contains("it succeeded with a value") == true)
        let other = await #expect(throws: TestFailure.self) {
            _ = try await expectFailure(as: { (_: HTTPError) -> Int? in nil }) { throw HTTPError.offline }
        }
        #expect(other?.description.contains("in another way") == true)
    }

    @Test("They run where they are called: on the main actor")
    @MainActor
    func isolation() async throws {
        var count = 0
        try await expectSuccess { count += 1 }
        _ = try await expectFailure {
            count += 1
            throw HTTPError.offline
        }
        #expect(count == 2)
    }
}
