/// Reads the pages of one list in order, loading each when it is asked for.
@MainActor
final class PageReader<Item: Decodable & Sendable> {
    private let manager: ItemPagingManager<Item>
    private var generation: Int?
    private var index = 0
    private var rest: ArraySlice<Item> = []
    private var isOver = false

    init(_ manager: ItemPagingManager<Item>) { self.manager = manager }

    /// The next page's new items; nil after the last page.
    func next() async throws -> [Item]? {
        guard !isOver else { return nil }
        do {
            return try await read()
        } catch {
            isOver = true
            throw error
        }
    }

    func nextItem() async throws -> Item? {
        while rest.isEmpty {
            guard let page = try await next() else { return nil }
            rest = page[...]
        }
        return rest.popFirst()
    }

    private func read() async throws(APIError) -> [Item]? {
        while true {
            if manager.isStarted {
                if let generation, generation != manager.generation {
                    throw APIError(.cancelled, reason: "The list was started anew.")
                }
                generation = manager.generation
                if let page = manager.page(at: index) {
                    index += 1
                    return page
                }
                if manager.isLastPage { return nil }
            } else if generation != nil {
                throw APIError(.cancelled, reason: "The list was forgotten.")
            }
            if Task.isCancelled { throw .cancelled }
            if let other = manager.table.all.last(where: { !$0.isCancelled }) {
                // Somebody else loads; whatever comes of it is looked at then.
                for await _ in other.end {}
            } else if try await manager.loadNext() == nil, !manager.isLoadingPage, !manager.isLastPage {
                // Cannot happen while nothing is in flight; better an end than a loop.
                return nil
            }
        }
    }
}
