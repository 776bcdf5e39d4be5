import Foundation
import Testing
import Trunkline
import TrunklineTesting

@MainActor
@Suite("Lists as sequences, and saved")
struct ItemPagingSequenceTests {
    private typealias Items = PagedList.Items

    // MARK: - Sequences

    @Test("Pages and items come in order, and a page is loaded when it is asked for")
    func sequences() async throws {
        let rig = Rig(Items(), PagedList.serve(5))
        var pages = rig.manager.pages.makeAsyncIterator()
        #expect(rig.stub.requests.isEmpty)
        #expect(try await pages.next()?.map(\.id) == [1, 2])
        #expect(rig.stub.requests.count == 1)
        // Somebody else goes on meanwhile: nothing is lost, nothing comes twice.
        _ = await PagedList.load(rig) { $0.loadNextPage() }
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
        let rig = Rig(Items(), PagedList.serve(5))
        var items = rig.manager.allItems.makeAsyncIterator()
        for id in 1...4 {
            #expect(try await items.next()?.id == id)
            #expect(rig.stub.requests.count == (id + 1) / 2)
        }
    }

    @Test("A failed page and a list started anew end the sequence with an error")
    func failingSequences() async throws {
        let rig = Rig(Items(), PagedList.serve(5, failing: [2]))
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
        let rig = Rig(Items(), PagedList.serve(5))
        _ = await PagedList.load(rig) { $0.loadNextPage() }
        let saved = try rig.manager.savedList()
        let state = try JSONDecoder().decode(PagingState.self, from: JSONEncoder().encode(rig.manager.savedState))

        let second = Rig(Items(), PagedList.serve(5))
        try second.manager.restoreList(from: saved)
        #expect(PagedList.ids(second) == [1, 2] && second.manager.isFirstPage && second.stub.requests.isEmpty)
        var all: [Int] = []
        for try await item in second.manager.allItems { all.append(item.id) }
        #expect(all == [1, 2, 3, 4, 5])
        #expect(second.stub.requests.map(\.url.query) == ["page=2&pageSize=2", "page=3&pageSize=2"])

        // The position alone, without the items.
        let third = Rig(Items(), PagedList.serve(5))
        try third.manager.restore(state)
        _ = await PagedList.load(third) { $0.loadNextPage() }
        #expect(PagedList.ids(third) == [3, 4] && third.manager.currentPage == 2 && third.manager.loadedItemCount == 4)

        // A list at its end stays there; one that has not begun begins.
        try third.manager.restoreList(from: second.manager.savedList())
        #expect(
            third.manager.isLastPage && PagedList.ids(third) == [1, 2, 3, 4, 5] && third.manager.loadNextPage() == nil)
        try third.manager.restoreList(from: Rig(Items(), PagedList.serve(5)).manager.savedList())
        #expect(PagedList.ids(third).isEmpty && !third.manager.isLastPage && third.manager.currentPage == nil)
    }

    @Test("What can't be restored is refused, and the list stays")
    func refusedStates() async throws {
        let rig = Rig(Items(), PagedList.serve(5))
        _ = await PagedList.load(rig) { $0.loadNextPage() }
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
            #expect(PagedList.ids(rig) == [1, 2])
        }
        rig.manager.strategy = .linkHeader
        #expect(throws: APIError.self) { try rig.manager.restoreList(from: Data(good.utf8)) }
    }
}
