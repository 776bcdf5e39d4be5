import Foundation
import Observation
import Testing
import Trunkline
import TrunklineTesting

@MainActor
@Suite("Lists that keep their items")
struct ItemPagingManagerTests {
    struct Item: Codable, Equatable, Sendable, Identifiable {
        var id: Int
        var name: String?
    }

    final class Items: ItemPagingManager<Item>, APIManagerProtocol {
        var strategy = PagingStrategy.page()
        var cleaned = 0
        func methodName() -> String { "list" }
        func serviceIdentifier() -> ServiceIdentifier { .test }
        override var pagingStrategy: PagingStrategy { strategy }
        override var pageSize: Int { 2 }
        override var prefetchThreshold: Int { 1 }
        override func cleanData() { cleaned += 1 }
    }

    private nonisolated static func query(_ exchange: Exchange) -> [String: String] {
        let items = URLComponents(url: exchange.request.url, resolvingAgainstBaseURL: false)?.queryItems ?? []
        return Dictionary(items.map { ($0.name, $0.value ?? "") }) { $1 }
    }

    private nonisolated static func list(_ ids: some Sequence<Int>) -> String {
        "[" + ids.map { #"{"id":\#($0)}"# }.joined(separator: ",") + "]"
    }

    /// Serves 1…count as every strategy asks; fails the requests whose number is listed.
    private nonisolated static func serve(_ count: Int, failing: Set<Int> = []) -> StubTransport.Answer {
        let number = Protected(0)
        return { exchange in
            let request = number.withLock { number in
                number += 1
                return number
            }
            if failing.contains(request) { return .stub(for: exchange, status: 500) }
            let query = query(exchange)
            let start =
                query["page"].flatMap { Int($0) }.map { ($0 - 1) * 2 } ?? query["offset"].flatMap { Int($0) }
                ?? query["cursor"].flatMap { Int($0) } ?? 0
            let ids = (1...count).dropFirst(start).prefix(2)
            let next = start + 2 < count ? "\(start + 2)" : "null"
            let link = start + 2 < count ? #"</api/v1/list?offset=\#(start + 2)>; rel="next""# : "<x>; rel=prev"
            return .stub(
                for: exchange, headers: ["Link": link], json: #"{"items":\#(list(ids)),"next":\#(next)}"#)
        }
    }

    private func load(_ rig: Rig<Items>, _ start: (Items) -> RequestID?) async -> RequestID? {
        let before = rig.screen.ends.count
        guard let id = start(rig.manager) else { return nil }
        #expect(await eventually { rig.screen.ends.count == before + 1 })
        return id
    }

    private func ids(_ rig: Rig<Items>) -> [Int] { rig.manager.items.map(\.id) }

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
        let rig = Rig(Items(), Self.serve(5))
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
        while await load(rig, { $0.loadNextPage() }) != nil, loads < 9 { loads += 1 }
        #expect(loads == 3 && ids(rig) == [1, 2, 3, 4, 5])
        #expect(rig.manager.currentPage == 3 && rig.manager.isLastPage && !rig.manager.isFirstPage)
        #expect(rig.stub.requests.map(\.url.query) == queries)
    }

    @Test("A link to another origin is not followed, and says so")
    func foreignLink() async {
        let rig = Rig(Items()) {
            .stub(for: $0, headers: ["Link": "<https://evil.example/list>; rel=next"], json: Self.list([1, 2]))
        }
        rig.manager.strategy = .linkHeader
        _ = await load(rig) { $0.loadNextPage() }
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
        for _ in 0..<3 { _ = await load(rig) { $0.loadNextPage() } }
        #expect(
            rig.manager.items == [Item(id: 1, name: "a"), Item(id: 2, name: "newer"), Item(id: 3, name: nil)])
        // What the server has sent is counted, not what was new.
        #expect(rig.manager.loadedItemCount == 5)
    }

    @Test("Starting anew keeps the old list until the new one is there, and a failure keeps it for good")
    func restart() async {
        let rig = Rig(Items(), Self.serve(5, failing: [3]))
        for _ in 0..<2 { _ = await load(rig) { $0.loadNextPage() } }
        #expect(rig.manager.cleaned == 0)
        rig.manager.loadData()
        #expect(ids(rig) == [1, 2, 3, 4] && rig.manager.currentPage == 2)
        #expect(await eventually { rig.screen.ends.count == 3 })
        #expect(rig.manager.errorType != .success)
        #expect(ids(rig) == [1, 2, 3, 4] && rig.manager.cleaned == 0)
        // The old list goes on where it was.
        _ = await load(rig) { $0.loadNextPage() }
        #expect(ids(rig) == [1, 2, 3, 4, 5] && rig.manager.isLastPage)
        _ = await load(rig) { $0.loadData() }
        #expect(ids(rig) == [1, 2] && rig.manager.isFirstPage && !rig.manager.isLastPage && rig.manager.cleaned == 1)
        rig.manager.forgetResults()
        #expect(ids(rig).isEmpty && rig.manager.currentPage == nil && !rig.manager.isLastPage)
    }

    @Test("Items that can't be decoded don't move the page")
    func undecodable() async {
        let json = Protected(#"[{"id":"one"}]"#)
        let rig = Rig(Items()) { .stub(for: $0, json: json.current) }
        _ = await load(rig) { $0.loadNextPage() }
        #expect(rig.manager.errorType == .invalidContent && rig.manager.currentPage == nil)
        json.withLock { $0 = Self.list([1, 2]) }
        _ = await load(rig) { $0.loadNextPage() }
        #expect(ids(rig) == [1, 2])
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
        let rig = Rig(Items(), Self.serve(5))
        #expect(rig.manager.prefetch(at: 0) == nil, "the list has not begun")
        _ = await load(rig) { $0.loadNextPage() }
        #expect(rig.manager.prefetch(at: 0) == nil && rig.manager.prefetch(at: -1) == nil)
        let id = rig.manager.prefetch(at: 1)
        #expect(id != nil && rig.manager.prefetch(at: 1) == nil)
        #expect(await eventually { rig.screen.ends.count == 2 })
        _ = await load(rig) { $0.prefetch(at: 99) }
        #expect(ids(rig) == [1, 2, 3, 4, 5] && rig.manager.prefetch(at: 4) == nil)
    }

    // MARK: - Sequences

    @Test("Pages and items come in order, and a page is loaded when it is asked for")
    func sequences() async throws {
        let rig = Rig(Items(), Self.serve(5))
        var pages = rig.manager.pages.makeAsyncIterator()
        #expect(rig.stub.requests.isEmpty)
        #expect(try await pages.next()?.map(\.id) == [1, 2])
        #expect(rig.stub.requests.count == 1)
        // Somebody else goes on meanwhile: nothing is lost, nothing comes twice.
        _ = await load(rig) { $0.loadNextPage() }
        rig.manager.loadNextPage()
        #expect(try await pages.next()?.map(\.id) == [3, 4])
        #expect(try await pages.next()?.map(\.id) == [5])
        #expect(try await pages.next() == nil)
        #expect(rig.stub.requests.count == 3)
        // A later reader has the whole list without a request.
        var all: [Int] = []
        for try await item in rig.manager.allItems { all.append(item.id) }
        #expect(all == [1, 2, 3, 4, 5] && rig.stub.requests.count == 3)
    }

    @Test("Items are loaded page by page as they are asked for")
    func itemsWithBackpressure() async throws {
        let rig = Rig(Items(), Self.serve(5))
        var items = rig.manager.allItems.makeAsyncIterator()
        for id in 1...4 {
            #expect(try await items.next()?.id == id)
            #expect(rig.stub.requests.count == (id + 1) / 2)
        }
    }

    @Test("A failed page and a list started anew end the sequence with an error")
    func failingSequences() async throws {
        let rig = Rig(Items(), Self.serve(5, failing: [2]))
        var pages = rig.manager.pages.makeAsyncIterator()
        _ = try await pages.next()
        do {
            _ = try await pages.next()
            Issue.record("answered")
        } catch {
            #expect((error as? APIError)?.type == .serverError(status: 500, body: Data()))
        }
        #expect(try await pages.next() == nil)
        var second = rig.manager.pages.makeAsyncIterator()
        #expect(try await second.next()?.map(\.id) == [1, 2])
        _ = try await rig.manager.load()
        do {
            _ = try await second.next()
            Issue.record("answered")
        } catch {
            #expect((error as? APIError)?.type == .cancelled)
        }
    }

    // MARK: - Saving

    @Test("A saved list goes on where it stood")
    func saving() async throws {
        let rig = Rig(Items(), Self.serve(5))
        _ = await load(rig) { $0.loadNextPage() }
        let saved = try rig.manager.savedList()
        let state = try JSONDecoder().decode(PagingState.self, from: JSONEncoder().encode(rig.manager.savedState))

        let second = Rig(Items(), Self.serve(5))
        try second.manager.restoreList(from: saved)
        #expect(ids(second) == [1, 2] && second.manager.isFirstPage && second.stub.requests.isEmpty)
        var all: [Int] = []
        for try await item in second.manager.allItems { all.append(item.id) }
        #expect(all == [1, 2, 3, 4, 5])
        #expect(second.stub.requests.map(\.url.query) == ["page=2&pageSize=2", "page=3&pageSize=2"])

        // The position alone, without the items.
        let third = Rig(Items(), Self.serve(5))
        try third.manager.restore(state)
        _ = await load(third) { $0.loadNextPage() }
        #expect(ids(third) == [3, 4] && third.manager.currentPage == 2 && third.manager.loadedItemCount == 4)

        // A list at its end stays there; one that has not begun begins.
        try third.manager.restoreList(from: second.manager.savedList())
        #expect(third.manager.isLastPage && ids(third) == [1, 2, 3, 4, 5] && third.manager.loadNextPage() == nil)
        try third.manager.restoreList(from: Rig(Items(), Self.serve(5)).manager.savedList())
        #expect(ids(third).isEmpty && !third.manager.isLastPage && third.manager.currentPage == nil)
    }

    @Test("What can't be restored is refused, and the list stays")
    func refusedStates() async throws {
        let rig = Rig(Items(), Self.serve(5))
        _ = await load(rig) { $0.loadNextPage() }
        let good = try #require(String(data: try rig.manager.savedList(), encoding: .utf8))
        let edits = [
            (#""version":1"#, #""version":2"#), (#""loadedItemCount":2"#, #""loadedItemCount":-2"#),
            (#""pageStarts":[0]"#, #""pageStarts":[]"#), (#""pageStarts":[0]"#, #""pageStarts":[9]"#),
            (#""pageStarts":[0]"#, #""pageStarts":[0,-1]"#), (#""id":1"#, #""id":"x""#), ("{", ""),
        ]
        for (old, new) in edits {
            let bad = good.replacingOccurrences(of: old, with: new)
            #expect(bad != good, "\(old) is not in \(good)")
            let error = #expect(throws: APIError.self) { try rig.manager.restoreList(from: Data(bad.utf8)) }
            #expect(error?.type == .invalidContent)
            #expect(ids(rig) == [1, 2])
        }
        rig.manager.strategy = .linkHeader
        #expect(throws: APIError.self) { try rig.manager.restoreList(from: Data(good.utf8)) }
    }

    @Test("Items and the list's state are observable")
    func observation() async {
        let rig = Rig(Items(), Self.serve(5))
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
        _ = await load(rig) { $0.loadNextPage() }
        #expect(changes.current == 11)
    }
}
