import Foundation
import Observation
import Testing
import Trunkline
import TrunklineTesting

@MainActor
@Suite("Lists that keep their items")
struct ItemPagingManagerTests {
    private typealias Item = PagedList.Item
    private typealias Items = PagedList.Items

    @Test(
        "Every strategy brings the whole list, each page asked for in its way",
        arguments: [
            ("page", ["page=1&pageSize=2", "page=2&pageSize=2", "page=3&pageSize=2"]),
            ("offset", ["limit=2&offset=0", "limit=2&offset=2", "limit=2&offset=4"]),
            ("cursor", ["pageSize=2", "cursor=2&pageSize=2", "cursor=4&pageSize=2"]),
            ("link", ["pageSize=2", "offset=2", "offset=4"]),
            ("custom", ["offset=0", "offset=2", "offset=4"]),
        ])
    func strategies(name: String, queries: [String]) async throws {
        let rig = Rig(Items(), PagedList.serve(5))
        rig.manager.strategy =
            switch name {
            case "offset": .offset(limit: 2)
            case "cursor": .cursor(path: "next")
            case "link": .linkHeader
            case "custom":
                .custom(
                    parameters: { token, _ in ["offset": token ?? "0"] },
                    next: { _, facts in facts.itemCount == 2 ? "\(facts.loadedItemCount)" : nil })
            default: .page()
            }
        var loads = 0
        while await PagedList.load(rig, { $0.loadNextPage() }) != nil, loads < 9 { loads += 1 }
        #expect(loads == 3 && PagedList.ids(rig) == [1, 2, 3, 4, 5])
        #expect(rig.manager.currentPage == 3 && rig.manager.isLastPage && !rig.manager.isFirstPage)
        #expect(rig.stub.requests.map(\.url.query) == queries)
    }

    @Test("A link to another origin is not followed, and says so")
    func foreignLink() async {
        let rig = Rig(Items()) {
            .stub(for: $0, headers: ["Link": "<https://evil.example/list>; rel=next"], json: PagedList.list([1, 2]))
        }
        rig.manager.strategy = .linkHeader
        _ = await PagedList.load(rig) { $0.loadNextPage() }
        #expect(rig.manager.loadNextPage() == nil)
        #expect(await eventually { rig.screen.ends.count == 2 })
        #expect(rig.manager.errorType == .requestError && rig.manager.error?.reason.contains("evil.example") == true)
        #expect(rig.stub.requests.count == 1)
    }

    @Test("Items that come again keep their place and are replaced")
    func deduplication() async {
        let answers = Protected([
            #"[{"id":1,"name":"a"},{"id":2}]"#, #"[{"id":2,"name":"newer"},{"id":3},{"id":3}]"#, "[]",
        ])
        let rig = Rig(Items()) { exchange in
            .stub(for: exchange, json: answers.withLock { $0.isEmpty ? "[]" : $0.removeFirst() })
        }
        for _ in 0..<3 { _ = await PagedList.load(rig) { $0.loadNextPage() } }
        #expect(
            rig.manager.items == [Item(id: 1, name: "a"), Item(id: 2, name: "newer"), Item(id: 3, name: nil)])
        // What the server has sent is counted, not what was new.
        #expect(rig.manager.loadedItemCount == 5)
    }

    @Test("Starting anew keeps the old list until the new one is there, and a failure keeps it for good")
    func restart() async {
        let rig = Rig(Items(), PagedList.serve(5, failing: [3]))
        for _ in 0..<2 { _ = await PagedList.load(rig) { $0.loadNextPage() } }
        #expect(rig.manager.cleaned == 0)
        rig.manager.loadData()
        #expect(PagedList.ids(rig) == [1, 2, 3, 4] && rig.manager.currentPage == 2)
        #expect(await eventually { rig.screen.ends.count == 3 })
        #expect(rig.manager.errorType != .success)
        #expect(PagedList.ids(rig) == [1, 2, 3, 4] && rig.manager.cleaned == 0)
        // The old list goes on where it was.
        _ = await PagedList.load(rig) { $0.loadNextPage() }
        #expect(PagedList.ids(rig) == [1, 2, 3, 4, 5] && rig.manager.isLastPage)
        _ = await PagedList.load(rig) { $0.loadData() }
        #expect(
            PagedList.ids(rig) == [1, 2] && rig.manager.isFirstPage && !rig.manager.isLastPage
                && rig.manager.cleaned == 1)
        rig.manager.forgetResults()
        #expect(PagedList.ids(rig).isEmpty && rig.manager.currentPage == nil && !rig.manager.isLastPage)
    }

    @Test("Items that can't be decoded don't move the page")
    func undecodable() async {
        let json = Protected(#"[{"id":"one"}]"#)
        let rig = Rig(Items()) { .stub(for: $0, json: json.current) }
        _ = await PagedList.load(rig) { $0.loadNextPage() }
        #expect(rig.manager.errorType == .invalidContent && rig.manager.currentPage == nil)
        json.withLock { $0 = PagedList.list([1, 2]) }
        _ = await PagedList.load(rig) { $0.loadNextPage() }
        #expect(PagedList.ids(rig) == [1, 2])
        #expect(rig.stub.requests.map(\.url.query) == ["page=1&pageSize=2", "page=1&pageSize=2"])
    }

    @Test("A list in an envelope, its total outside of the data")
    func envelope() async {
        final class Enveloped: TestService {
            override var responseEnvelope: ResponseEnvelope? { ResponseEnvelope() }
        }
        final class Totalled: ItemPagingManager<Item>, APIManagerProtocol {
            func methodName() -> String { "list" }
            func serviceIdentifier() -> ServiceIdentifier { .test }
            override var pageSize: Int { 2 }
            override var totalCountKeyPath: String? { "total" }
        }
        let rig = Rig(Totalled()) {
            .stub(for: $0, json: #"{"code":0,"data":{"books":[{"id":1},{"id":2}]},"total":2,"tags":[]}"#)
        }
        let service = Enveloped()
        service.transport = rig.stub
        rig.manager.serviceFactory.register(.test) { service }
        rig.manager.loadNextPage()
        #expect(await eventually { rig.screen.ends.count == 1 })
        #expect(rig.manager.items.map(\.id) == [1, 2] && rig.manager.loadedItemCount == 2)
        #expect(rig.manager.isLastPage && rig.manager.totalPages == 1)
    }

    @Test("Prefetching loads near the end only, one page at a time")
    func prefetch() async {
        let rig = Rig(Items(), PagedList.serve(5))
        #expect(rig.manager.prefetch(at: 0) == nil, "the list has not begun")
        _ = await PagedList.load(rig) { $0.loadNextPage() }
        #expect(rig.manager.prefetch(at: 0) == nil && rig.manager.prefetch(at: -1) == nil)
        let id = rig.manager.prefetch(at: 1)
        #expect(id != nil && rig.manager.prefetch(at: 1) == nil)
        #expect(await eventually { rig.screen.ends.count == 2 })
        _ = await PagedList.load(rig) { $0.prefetch(at: 99) }
        #expect(PagedList.ids(rig) == [1, 2, 3, 4, 5] && rig.manager.prefetch(at: 4) == nil)
    }

    @Test("Items and the list's state are observable")
    func observation() async {
        let rig = Rig(Items(), PagedList.serve(5))
        let manager = rig.manager
        let changes = Protected(0)
        withObservationTracking {
            _ = manager.items
        } onChange: {
            changes.withLock { $0 += 1 }
        }
        withObservationTracking {
            _ = manager.isLastPage
        } onChange: {
            changes.withLock { $0 += 10 }
        }
        _ = await PagedList.load(rig) { $0.loadNextPage() }
        #expect(changes.current == 11)
    }
}
