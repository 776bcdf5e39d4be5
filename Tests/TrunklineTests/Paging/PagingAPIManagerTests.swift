import Foundation
import Testing
import Trunkline
import TrunklineTesting

/// Case A34, and what pages do when answers come late.
@Suite @MainActor struct PagingAPIManagerTests {
    private final class Pages: PagingAPIManager, APIManagerProtocol {
        var total = false
        var items: [Int] = []
        var cleaned = 0
        func methodName() -> String { "list" }
        func serviceIdentifier() -> ServiceIdentifier { .test }
        override var pageSize: Int { 2 }
        override var totalCountKeyPath: String? { total ? "total" : nil }
        override func pageParameters(page: Int, size: Int) -> Parameters { ["page": page] }
        override func cleanData() {
            cleaned += 1
            items = []
        }
        override func beforePerformSuccess(with response: APIResponse) -> Bool {
            items += response.json?["items"]?.array?.compactMap(\.int) ?? []
            return super.beforePerformSuccess(with: response)
        }
    }

    /// Serves 1…count in pages of two; fails the requests whose number is listed.
    private static func serve(_ count: Int, failing: Set<Int> = [], delay: Duration = .zero) -> StubTransport.Answer {
        let number = Protected(0)
        return { exchange in
            let request = number.withLock { number in
                number += 1
                return number
            }
            if delay > .zero { try await Task.sleep(for: delay) }
            if failing.contains(request) { return .stub(for: exchange, status: 500) }
            let page = Int(exchange.request.url.query?.split(separator: "=").last ?? "") ?? 0
            let items = (1...count).filter { ($0 - 1) / 2 == page - 1 }
            return .stub(for: exchange, json: #"{"items":\#(items),"total":\#(count)}"#)
        }
    }

    private func next(_ rig: Rig<Pages>) async -> RequestID? {
        let before = rig.screen.ends.count
        guard let id = rig.manager.loadNextPage() else { return nil }
        #expect(await eventually { rig.screen.ends.count == before + 1 })
        return id
    }

    private func queries(_ rig: Rig<Pages>) -> [String?] { rig.stub.requests.map(\.url.query) }

    @Test func `five items in pages of two, with a failure in between`() async {
        let rig = Rig(Pages(), Self.serve(5, failing: [2]))
        // Two scroll events at once make one request.
        #expect(rig.manager.loadNextPage() != nil)
        #expect(rig.manager.loadNextPage() == nil)
        #expect(await eventually { rig.screen.ends.count == 1 })
        #expect(rig.manager.isFirstPage && rig.manager.currentPage == 1)
        _ = await next(rig)
        #expect(rig.screen.ends.last?.type == .serverError(status: 500, body: Data()))
        #expect(rig.manager.currentPage == 1 && rig.manager.isFirstPage)
        _ = await next(rig)
        #expect(rig.manager.currentPage == 2 && !rig.manager.isFirstPage && !rig.manager.isLastPage)
        _ = await next(rig)
        #expect(rig.manager.isLastPage && rig.manager.currentPage == 3)
        #expect(await next(rig) == nil)
        #expect(queries(rig) == ["page=1", "page=2", "page=2", "page=3"])
        #expect(rig.manager.items == [1, 2, 3, 4, 5])
    }

    @Test func `an empty page ends the list without an error`() async {
        let rig = Rig(Pages(), Self.serve(4))
        for _ in 0..<3 { _ = await next(rig) }
        #expect(rig.manager.items == [1, 2, 3, 4] && rig.manager.isLastPage)
        #expect(rig.screen.ends.allSatisfy { $0.type == .success })
        #expect(await next(rig) == nil && rig.stub.requests.count == 3)
    }

    @Test func `a total ends the list without a last empty page`() async {
        let rig = Rig(Pages(), Self.serve(4))
        rig.manager.total = true
        _ = await next(rig)
        #expect(rig.manager.totalCount == 4 && rig.manager.totalPages == 2)
        _ = await next(rig)
        #expect(rig.manager.isLastPage && rig.stub.requests.count == 2)
    }

    @Test func `the validator's refusal doesn't move the page`() async {
        let rig = Rig(Pages(), Self.serve(5))
        rig.screen.dataVerdict = { _ in .invalid("no") }
        _ = await next(rig)
        #expect(rig.manager.currentPage == nil && rig.manager.nextPage == 1)
    }

    @Test func `loadData starts anew and drops the page in flight`() async {
        let rig = Rig(Pages(), Self.serve(5, delay: .milliseconds(20)))
        _ = await next(rig)
        rig.manager.loadNextPage()
        let restarted = rig.manager.loadData()
        #expect(restarted != nil)
        #expect(await eventually { rig.screen.ends.count == 3 })
        #expect(rig.screen.ends.map(\.type) == [.success, .cancelled, .success])
        #expect(rig.screen.ends.last?.id == restarted)
        #expect(rig.manager.currentPage == 1 && rig.manager.items == [1, 2] && rig.manager.cleaned == 1)
    }

    @Test func `the manager's page wins over the caller's parameter`() async {
        let rig = Rig(Pages(), Self.serve(5))
        rig.screen.params = ["page": 9]
        _ = await next(rig)
        #expect(queries(rig) == ["page=1"])
    }

    @Test func `pages can be awaited`() async throws {
        let rig = Rig(Pages(), Self.serve(3))
        _ = try await rig.manager.load()
        #expect(try await rig.manager.loadNext()?.json?["items"] == [3])
        #expect(try await rig.manager.loadNext() == nil)
        #expect(rig.manager.items == [1, 2, 3])
    }
}
