/// A list, page by page: ``loadData()`` starts anew with the first page, ``loadNextPage()`` goes on.
///
/// - ``loadData()`` cancels what is in flight and calls ``BaseAPIManager/cleanData()``; answers to the cancelled loads
///   change nothing any more.
/// - ``loadNextPage()`` does nothing and returns nil while a load is in flight and after the last page.
/// - ``currentPage`` moves only when the validator has accepted the page; after a failure the same page is next.
/// - The page's own parameters (``pageParameters(page:size:)``) win over those of the same name from the param source.
///
/// The last page is the one that is shorter than ``pageSize``, or the one that completes the total the server gives.
/// Where the list is elsewhere in the answer, override ``itemsKeyPath`` or ``itemCount(in:)``; for the total,
/// ``totalCountKeyPath`` or ``totalCount(in:)``.
@MainActor
open class PagingAPIManager: BaseAPIManager {
    /// The page that was accepted last; nil before the first.
    public private(set) var currentPage: Int?

    /// Whether the last accepted page is the list's last.
    public private(set) var isLastPage = false

    /// The number of items the server has in all, where it says so.
    public private(set) var totalCount: Int?

    /// The items of the accepted pages so far.
    public private(set) var loadedItemCount = 0

    /// Whether the last accepted page is the first.
    public var isFirstPage: Bool { currentPage == firstPage }

    /// The page ``loadNextPage()`` would ask for.
    public var nextPage: Int { currentPage.map { $0 + 1 } ?? firstPage }

    /// The number of pages in all, where the total is known.
    public var totalPages: Int? {
        totalCount.map { count in pageSize > 0 ? (count + pageSize - 1) / pageSize : 1 }
    }

    // MARK: - The endpoint

    /// The number of the first page; by default 1.
    open var firstPage: Int { 1 }

    /// The number of items a page has; by default 20.
    open var pageSize: Int { 20 }

    /// Where the list is in the answer, as keys joined by dots; empty for the whole answer. By default nil: the whole
    /// answer where it is an array, the answer's only array otherwise.
    open var itemsKeyPath: String? { nil }

    /// Where the total number of items is in the answer, as keys joined by dots. By default nil: the server doesn't say.
    open var totalCountKeyPath: String? { nil }

    /// The parameters that ask for a page; by default `page` and `pageSize`.
    open func pageParameters(page: Int, size: Int) -> Parameters { ["page": page, "pageSize": size] }

    /// The number of items in an answer, or nil when it can't be told: the page then counts as full.
    open func itemCount(in response: APIResponse) -> Int? {
        guard let json = response.json else { return nil }
        if let itemsKeyPath { return json.value(at: itemsKeyPath)?.array?.count }
        if let array = json.array { return array.count }
        let arrays = json.object?.values.compactMap(\.array) ?? []
        return arrays.count == 1 ? arrays.first?.count : nil
    }

    /// The number of items in all, or nil when the answer doesn't say.
    open func totalCount(in response: APIResponse) -> Int? {
        totalCountKeyPath.flatMap { response.json?.value(at: $0)?.int }
    }

    // MARK: - Loading

    /// Starts the list anew with its first page.
    @discardableResult
    open override func loadData() -> RequestID? {
        cancelAllRequests()
        reset()
        return beginLoad(APILoadPlan(page: firstPage))
    }

    /// Starts the list anew with its cached first page, however old; never sends.
    @discardableResult
    open override func loadCacheData() -> RequestID? {
        cancelAllRequests()
        reset()
        return beginLoad(APILoadPlan(cacheOnly: true, page: firstPage))
    }

    /// Loads the page after the last accepted one.
    ///
    /// - Returns: the load's identity; nil, with nothing done and no callback, while a load is in flight or after the
    ///   last page. (Also nil for a load that was refused, whose failure callback follows.)
    @discardableResult
    open func loadNextPage() -> RequestID? {
        guard !isLoadingPage, !isLastPage else { return nil }
        return beginLoad(APILoadPlan(page: nextPage))
    }

    /// Loads the next page and waits; nil, at once, while a load is in flight or after the last page.
    ///
    /// - Throws: ``APIError``, as ``BaseAPIManager/load()`` does.
    @discardableResult
    public func loadNext() async throws(APIError) -> APIResponse? {
        guard !isLoadingPage, !isLastPage else { return nil }
        return try await awaitLoad(APILoadPlan(page: nextPage))
    }

    private var isLoadingPage: Bool { table.all.contains { !$0.isCancelled } }

    private func reset() {
        currentPage = nil
        isLastPage = false
        totalCount = nil
        loadedItemCount = 0
        cleanData()
    }

    override func awaitedPlan() -> APILoadPlan {
        cancelAllRequests()
        reset()
        return APILoadPlan(page: firstPage)
    }

    override func completedParameters(_ params: Parameters, plan: APILoadPlan) -> Parameters {
        guard let page = plan.page else { return params }
        return params.merging(pageParameters(page: page, size: pageSize))
    }

    override func commit(_ response: APIResponse, plan: APILoadPlan) {
        guard let page = plan.page else { return }
        currentPage = page
        let count = itemCount(in: response)
        loadedItemCount += count ?? pageSize
        totalCount = totalCount(in: response) ?? totalCount
        if let totalCount {
            isLastPage = loadedItemCount >= totalCount || count == 0
        } else {
            isLastPage = count.map { $0 < pageSize } ?? false
        }
    }
}
