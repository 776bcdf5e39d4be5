import Foundation

/// A paged list that keeps its items: decoded off the main actor, in order, each once.
///
/// ```swift
/// final class BooksAPI: ItemPagingManager<Book>, APIManagerProtocol {
///     func methodName() -> String { "books" }
///     func serviceIdentifier() -> ServiceIdentifier { .library }
///     override var pagingStrategy: PagingStrategy { .cursor(path: "next") }
/// }
///
/// for try await book in books.allItems { … }      // or books.items, books.loadNextPage(), books.prefetch(at: index)
/// ```
///
/// Everything ``PagingAPIManager`` promises holds. A page whose items can't be decoded is a failure, `.invalidContent`, and
/// the next attempt asks for it again. ``items`` are observable.
@MainActor
open class ItemPagingManager<Item: Decodable & Sendable>: PagingAPIManager {
    private var list = ItemList<Item>() {
        willSet { observation.willSet(self, keyPath: \.list) }
        didSet { observation.didSet(self, keyPath: \.list) }
    }

    /// The items of the accepted pages, in order. When the list starts anew, the old ones stay until the new first page is
    /// there. An item that comes again, on a list that has moved meanwhile, keeps its place and is replaced by the newer.
    public var items: [Item] {
        observation.access(self, keyPath: \.list)
        return list.items
    }

    // MARK: - The endpoint

    /// Decodes the items; by default a plain `JSONDecoder`.
    open func decoder() -> any DataDecoder { JSONDecoder() }

    /// What tells an item from others; nil when nothing does, and then it is kept whatever there is. By default the `id` of
    /// an `Identifiable` item, and nil for others.
    open func identity(of item: Item) -> AnyHashable? {
        func identity(_ item: some Identifiable) -> AnyHashable { AnyHashable(item.id) }
        return (item as? any Identifiable).map { identity($0) }
    }

    // MARK: - Sequences

    /// The new items of each page, from the first of the list as it is. Pages that were accepted already come without being
    /// loaded; the next one is loaded when it is asked for. Ends after the last page.
    ///
    /// Others may load pages of the same list meanwhile: their pages come too, in order, and none twice. When the list
    /// starts anew the sequence fails with `.cancelled`; when a load fails, with its ``APIError``. It is for one reader, and
    /// keeps the manager until it is released.
    public var pages: AsyncThrowingStream<[Item], any Error> {
        let reader = PageReader(self)
        return AsyncThrowingStream { try await reader.next() }
    }

    /// The items one by one; see ``pages``. The next page is loaded when its first item is asked for.
    public var allItems: AsyncThrowingStream<Item, any Error> {
        let reader = PageReader(self)
        return AsyncThrowingStream { try await reader.nextItem() }
    }

    /// The items the page with this index, from 0, has added; nil when it was not accepted yet.
    func page(at index: Int) -> [Item]? { list.page(at: index) }

    // MARK: - Saving

    /// Puts items into a list that was restored; see `restoreList(from:)`.
    func replace(items: [Item], pageStarts: [Int]) {
        var new = ItemList<Item>()
        for (index, start) in pageStarts.enumerated() {
            let end = index + 1 < pageStarts.count ? pageStarts[index + 1] : items.count
            guard start >= 0, start <= end, end <= items.count else { continue }
            new.append(Array(items[start..<end]), identity: identity)
        }
        list = new
    }

    var pageStarts: [Int] { list.pageStarts }

    // MARK: - Loading

    /// Forgets the items too.
    open override func forgetResults() {
        super.forgetResults()
        list = ItemList()
    }

    override var listCount: Int { list.items.count }

    override func contentReader(for service: Service) -> (@Sendable (APIResponse) -> ReadContent)? {
        let envelope = responseEnvelope(for: service)
        let reader = TypedContentReader<[Item], JSONValue>(
            decoder: decoder(), envelope: envelope, modelPath: nil, errorPath: nil)
        let given = itemsKeyPath
        return { response in
            var reader = reader
            if let given {
                reader.modelPath = ContentPath(given)
            } else if let json = response.json {
                reader.modelPath = ItemsPath.find(in: json, below: envelope?.data) ?? envelope?.data
            }
            return reader.read(response)
        }
    }

    override func commit(_ result: APILoadResult, _ response: APIResponse, plan: APILoadPlan) {
        super.commit(result, response, plan: plan)
        guard let page = plan.page, let items = result.value as? [Item] else { return }
        var new = page.startsList ? ItemList<Item>() : list
        new.append(items, identity: identity)
        list = new
    }
}
