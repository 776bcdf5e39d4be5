import Foundation
import Testing
import TrunklineTesting

@testable import TrunklineHTTP

@Suite struct RetryBudgetTests {
    private let host: Origin = "http://h"

    private func taken(_ budgets: RetryBudgets, _ budget: RetryBudget, most: Int = 1000) -> Int {
        var count = 0
        while count < most, budgets.takeRetry(of: host, budget) { count += 1 }
        return count
    }

    @Test func `the reserve comes first, then a part of the requests`() {
        let budgets = RetryBudgets(clock: TestClock())
        let budget = RetryBudget(ratio: 0.25, perSecond: 0, reserve: 10)
        for _ in 0..<100 { budgets.noteRequest(to: host, budget) }
        #expect(taken(budgets, budget) == 10)
        for _ in 0..<20 { budgets.noteRequest(to: host, budget) }
        #expect(taken(budgets, budget) == 5)
        for _ in 0..<1000 { budgets.noteRequest(to: host, budget) }
        #expect(taken(budgets, budget) == 10)
    }

    @Test func `time fills the bucket up to its reserve`() {
        let clock = TestClock()
        let budgets = RetryBudgets(clock: clock)
        let budget = RetryBudget(ratio: 0, perSecond: 0.5, reserve: 10)
        #expect(taken(budgets, budget) == 10)
        clock.advance(by: .seconds(6))
        #expect(taken(budgets, budget) == 3)
        clock.advance(by: .seconds(3600))
        #expect(taken(budgets, budget) == 10)
    }

    @Test func `each host has its own`() {
        let budgets = RetryBudgets(clock: TestClock())
        let budget = RetryBudget(ratio: 0, perSecond: 0, reserve: 1)
        #expect(taken(budgets, budget) == 1)
        #expect(budgets.takeRetry(of: "http://g", budget))
        #expect(budgets.takeRetry(of: "http://h:81", budget))
        for index in 0..<3000 { _ = budgets.takeRetry(of: Origin(stringLiteral: "http://h\(index)"), budget) }
    }

    @Test func `bad numbers count as none`() {
        let budgets = RetryBudgets(clock: TestClock())
        for number in [-1, Double.nan, -Double.infinity, 0] {
            let budget = RetryBudget(ratio: number, perSecond: number, reserve: number)
            budgets.noteRequest(to: host, budget)
            #expect(!budgets.takeRetry(of: host, budget))
        }
        let endless = RetryBudget(ratio: .infinity, perSecond: .infinity, reserve: .infinity)
        #expect(taken(RetryBudgets(clock: TestClock()), endless, most: 100) == 100)
        var changed = RetryBudget()
        changed.reserve = .nan
        #expect(!budgets.takeRetry(of: "http://i", changed))
    }

    @Test func `a session's requests share the budget, whatever interceptors they bring`() async {
        let transport = StubTransport { .stub(for: $0, status: 503) }
        let session = SessionManager(
            configuration: SessionConfiguration(
                retry: RetryPolicy(
                    limit: 5, baseDelay: .zero, budget: RetryBudget(ratio: 0, perSecond: 0, reserve: 7))),
            transport: transport)
        let passing = ClosureInterceptor { try await $1($0) }
        for _ in 0..<10 { _ = try? await session.send("http://h/", interceptors: [passing]) }
        #expect(transport.requests.count == 17)
    }
}
