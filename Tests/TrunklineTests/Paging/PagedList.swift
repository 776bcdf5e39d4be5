import Foundation
import Testing
import Trunkline
import TrunklineTesting

/// A list of numbers for the tests of paging managers.
@MainActor
enum PagedList {
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

    nonisolated static func query(_ exchange: Exchange) -> [String: String] {
        let items = URLComponents(url: exchange.request.url, resolvingAgainstBaseURL: false)?.queryItems ?? []
        return Dictionary(items.map { ($0.name, $0.value ?? "") }) { $1 }
    }

    nonisolated static func list(_ ids: some Sequence<Int>) -> String {
        "[" + ids.map { #"{"id":\#($0)}"# }.joined(separator: ",") + "]"
    }

    /// Serves 1…count as every strategy asks; fails the requests whose number is listed.
    nonisolated static func serve(_ count: Int, failing: Set<Int> = []) -> StubTransport.Answer {
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

    static func load(_ rig: Rig<Items>, _ start: (Items) -> RequestID?) async -> RequestID? {
        let before = rig.screen.ends.count
        guard let id = start(rig.manager) else { return nil }
        #expect(await eventually { rig.screen.ends.count == before + 1 })
        return id
    }

    static func ids(_ rig: Rig<Items>) -> [Int] { rig.manager.items.map(\.id) }
}
