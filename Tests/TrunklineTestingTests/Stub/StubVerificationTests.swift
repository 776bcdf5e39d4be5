import Foundation
import Testing
import TrunklineTesting

@Suite("Stub transport: what was received")
struct StubVerificationTests {
    @Test("Requests are counted and verified; a failed check lists what came and what differs")
    func verification() async throws {
        let stubs = StubTransport()
        let used = stubs.when(.get, "/items/{id}", answer: .status(200))
        let unused = stubs.when(.delete, "/items/{id}", answer: .status(204))
        for id in 1...3 { _ = try await stubs.answer(request(.get, "/items/\(id)?token=planted")) }
        #expect(used.count == 3 && unused.count == 0)
        #expect(used.requests.map { $0["id"] } == ["1", "2", "3"])
        #expect(stubs.unusedStubs.map(\.description) == ["DELETE /items/{id}"])
        #expect(stubs.count(.get, "/items/{id}") == 3)
        #expect(stubs.count(.get, "/items/2") == 1)
        try stubs.verify(.get, "/items/{id}", count: .exactly(3))
        try stubs.verify(.get, "/items/1", count: .once)
        try stubs.verify(.post, "/items", count: .never)
        try stubs.verify(.get, "/items/{id}", count: .atMost(3))
        let failure = #expect(throws: TestFailure.self) { try stubs.verify(.post, "/items/1") }
        let text = failure?.description ?? ""
        #expect(text.contains("StubVerificationTests.swift:"))
        #expect(text.contains("Expected at least 1 of POST /items/1, received 0."))
        #expect(text.contains("the method is GET, wanted POST"))
        #expect(text.contains("3. GET https://api.test/items/3"))
        #expect(!text.contains("planted"))
        #expect(throws: TestFailure.self) { try stubs.verify(.get, "/items/{id}", count: .atLeast(4)) }
    }

    @Test("All stubs used and no request unanswered, or it says which")
    func all() async throws {
        let stubs = StubTransport()
        stubs.when(.get, "/a", answer: .status(200))
        let unused = #expect(throws: TestFailure.self) { try stubs.verifyAll() }
        #expect(unused?.description.contains("Unused stubs: GET /a.") == true)
        _ = try await stubs.answer(request(.get, "/a"))
        try stubs.verifyAll()
        _ = try? await stubs.answer(request(.get, "/b"))
        let unmatched = #expect(throws: TestFailure.self) { try stubs.verifyAll() }
        #expect(unmatched?.description.contains("Requests without a stub: GET https://api.test/b.") == true)
        stubs.clearRecord()
        #expect(stubs.requests.isEmpty && stubs.unmatchedRequests.isEmpty && stubs.unusedStubs.count == 1)
        stubs.reset()
        #expect(stubs.stubs.isEmpty)
    }
}
