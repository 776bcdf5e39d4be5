/// A list, page by page: ``loadData()`` starts anew with the first page, ``loadNextPage()`` goes on.
///
/// - ``loadData()`` cancels what is in flight; answers to the cancelled loads change nothing any more. The list of before
///   stays until the new first page was accepted: then ``BaseAPIManager/cleanData()`` is called, and the page is the list.
///   When it fails, the old list stays, and ``loadNextPage()`` goes on with that.
/// - ``loadNextPage()`` does nothing and returns nil while a load is in flight and after the last page.
/// - ``currentPage`` moves only when the validator has accepted the page; after a failure the same page is next.
/// - The page's own parameters (``pageParameters(for:size:)``) win over those of the same name from the param source.
///
/// How the list is divided is up to ``pagingStrategy``; by default its pages have numbers, and the last one is shorter than
/// ``pageSize``, empty, or completes the total the server gives. Where the list is elsewhere in the answer, override
/// ``itemsKeyPath`` or ``itemCount(in:)``; for the total, ``totalCountKeyPath`` or ``totalCount(in:)``.
///
/// The list's state is observable. An ``ItemPagingManager`` keeps the items too.
@MainActor
open class PagingAPIManager: BaseAPIManager {
    private struct Position {
        var currentPage: Int?
        /// Nil after the last page.
        var next: PageTarget?
        var isStarted = false
        var totalCount: Int?
        var loadedItemCount = 0
        /// Counts the lists: each start of a new one makes it another.
        var generation = 0
    }

    private var position = Position() {
        willSet { observation.willSet(self, keyPath: \.position) }
        didSet { observation.didSet(self, keyPath: \.position) }
    }

    private var shownPosition: Position {
        observation.access(self, keyPath: \.position)
        return position
    }

    /// The page that was accepted last; nil before the first. Where pages have no numbers, they are counted from
    /// ``firstPage``.
    public var currentPage: Int? { shownPosition.currentPage }

    /// Whether the last accepted page is the list's last.
    public var isLastPage: Bool { shownPosition.isStarted && position.next == nil }

    /// The number of items the server has in all, where it says so.
    public var totalCount: Int? { shownPosition.totalCount }

    /// The items of the accepted pages so far.
    public var loadedItemCount: Int { shownPosition.loadedItemCount }

    /// Whether the last accepted page is the first.
    public var isFirstPage: Bool { currentPage == firstPage }

    /// The page ``loadNextPage()`` would ask for.
    public var nextPage: Int { currentPage.map { $0 &+ 1 } ?? firstPage }

    /// The number of pages in all, where the total is known.
    public var totalPages: Int? {
        totalCount.map { count in
            let size = itemsPerPage
            return size > 0 ? count / size + (count % size > 0 ? 1 : 0) : 1
        }
    }

    // MARK: - The endpoint

    /// How the list is divided into pages; by default by number, from ``firstPage``.
    open var pagingStrategy: PagingStrategy { .page(first: firstPage) }

    /// The number of the first page; by default 1.
    open var firstPage: Int { 1 }

    /// The number of items a page has; by default 20.
    open var pageSize: Int { 20 }

    /// How near to the end of the list ``prefetch(at:)`` loads the next page, in items; by default 5.
    open var prefetchThreshold: Int { 5 }

    /// Where the list is in the answer, as keys joined by dots; empty for the whole answer. By default nil: the whole
    /// answer where it is an array, the answer's only array otherwise; both inside the envelope's data, where there is one.
    open var itemsKeyPath: String? { nil }

    /// Where the total number of items is in the answer, as keys joined by dots. By default nil: the server doesn't say.
    open var totalCountKeyPath: String? { nil }

    /// The parameters that ask for a page by its number; by default `page` and `pageSize`.
    open func pageParameters(page: Int, size: Int) -> Parameters { ["page": page, "pageSize": size] }

    /// The parameters that ask for a page. By default those of ``pageParameters(page:size:)`` for a page with a number;
    /// `offset` and `limit`; the cursor, with `pageSize`; those of a strategy of the app's; none for a link.
    open func pageParameters(for target: PageTarget, size: Int) -> Parameters {
        if case .page(let number) = target { return pageParameters(page: number, size: size) }
        return pagingStrategy.parameters(for: target, size: size)
    }

    /// The number of items in an answer, or nil when it can't be told: the page then counts as full.
    open func itemCount(in response: APIResponse) -> Int? {
        guard let json = response.json else { return nil }
        return itemsPath(in: json).flatMap { json.value(at: $0)?.array?.count }
    }

    /// The number of items in all, or nil when the answer doesn't say.
    open func totalCount(in response: APIResponse) -> Int? {
        totalCountKeyPath.flatMap { response.json?.value(at: $0)?.int }
    }

    // MARK: - Loading

    /// Starts the list anew with its first page.
    @discardableResult
    open override func loadData() -> RequestID? { beginLoad(awaitedPlan()) }

    /// Starts the list anew with its cached first page, however old; never sends.
    @discardableResult
    open override func loadCacheData() -> RequestID? {
        var plan = awaitedPlan()
        plan.cacheOnly = true
        return beginLoad(plan)
    }

    /// Loads the page after the last accepted one.
    ///
    /// - Returns: the load's identity; nil, with nothing done and no callback, while a load is in flight or after the
    ///   last page. (Also nil for a load that was refused, whose failure callback follows.)
    @discardableResult
    open func loadNextPage() -> RequestID? { nextPlan.flatMap { beginLoad($0) } }

    /// Loads the next page and waits; nil, at once, while a load is in flight or after the last page.
    ///
    /// - Throws: ``APIError``, as ``BaseAPIManager/load()`` does.
    @discardableResult
    public func loadNext() async throws(APIError) -> APIResponse? {
        guard let plan = nextPlan else { return nil }
        return try await awaitLoad(plan)
    }

    /// Loads the next page when the item at this index is near the end of the list: to be called with each item that comes
    /// on screen. After a failure each call is a new attempt.
    ///
    /// - Returns: what ``loadNextPage()`` returned; nil for an item farther from the end.
    @discardableResult
    public func prefetch(at index: Int) -> RequestID? {
        let count = listCount
        guard count > 0, index >= count - max(1, min(prefetchThreshold, count)) else { return nil }
        return loadNextPage()
    }

    /// Forgets the list too.
    open override func forgetResults() {
        cancelAllRequests()
        super.forgetResults()
        position = Position(generation: position.generation + 1)
        cleanData()
    }

    // MARK: - Saving

    /// Where the list stands; see ``restore(_:)``.
    public var savedState: PagingState {
        let position = shownPosition
        return PagingState(
            version: PagingState.currentVersion, next: position.isStarted ? position.next : pagingStrategy.firstTarget,
            currentPage: position.currentPage, totalCount: position.totalCount,
            loadedItemCount: position.loadedItemCount)
    }

    /// Puts the list where it stood when the state was saved; loads in flight are cancelled.
    ///
    /// - Throws: `.invalidContent` for a state of another version, of another strategy, or one that was tampered with; the
    ///   list then stays as it is.
    public func restore(_ state: PagingState) throws(APIError) {
        if let problem = state.problem(for: pagingStrategy) {
            throw APIError(.invalidContent, reason: "The saved list can't be restored: \(problem).")
        }
        cancelAllRequests()
        position = Position(
            currentPage: state.currentPage, next: state.next, isStarted: state.currentPage != nil,
            totalCount: state.totalCount, loadedItemCount: state.loadedItemCount, generation: position.generation + 1)
    }

    // MARK: - For the package's own subclasses

    /// The number of items ``prefetch(at:)`` counts from.
    var listCount: Int { position.loadedItemCount }

    /// Changes when another list begins.
    var generation: Int { position.generation }

    /// Whether a page was accepted.
    var isStarted: Bool { position.isStarted }

    /// Whether a load is in flight that was not cancelled.
    var isLoadingPage: Bool { table.all.contains { !$0.isCancelled } }

    /// Where the list is in an answer.
    private func itemsPath(in json: JSONValue) -> ContentPath? {
        if let itemsKeyPath { return ContentPath(itemsKeyPath) }
        return ItemsPath.find(in: json, below: currentService.flatMap { responseEnvelope(for: $0) }?.data)
    }

    private var itemsPerPage: Int { pagingStrategy.size ?? pageSize }

    private var nextPlan: APILoadPlan? {
        guard !isLoadingPage, !isLastPage else { return nil }
        return APILoadPlan(page: APILoadPlan.Page(target: position.next ?? firstTarget, startsList: false))
    }

    private var firstTarget: PageTarget { pagingStrategy.firstTarget }

    override func awaitedPlan() -> APILoadPlan {
        cancelAllRequests()
        return APILoadPlan(page: .restart(firstTarget))
    }

    override func resumedPlan(_ plan: APILoadPlan) -> APILoadPlan? {
        guard !isLoadingPage else { return nil }
        return plan.page?.startsList == true ? APILoadPlan(page: .restart(firstTarget)) : nextPlan
    }

    override func completedParameters(_ params: Parameters, plan: APILoadPlan) -> Parameters {
        guard let page = plan.page else { return params }
        return params.merging(pageParameters(for: page.target, size: itemsPerPage))
    }

    override var deliversStoredAnswers: Bool { false }

    override func commit(_ result: APILoadResult, _ response: APIResponse, plan: APILoadPlan) {
        guard let page = plan.page else { return }
        if page.startsList { cleanData() }
        var new = page.startsList ? Position(generation: position.generation + 1) : position
        let count = itemCount(in: response)
        new.currentPage = new.isStarted ? nextPage : firstPage
        new.isStarted = true
        new.loadedItemCount = new.loadedItemCount.addingClamped(max(0, count ?? itemsPerPage))
        new.totalCount = totalCount(in: response).map { max(0, $0) } ?? new.totalCount
        let facts = PageFacts(
            itemCount: count, pageSize: itemsPerPage, loadedItemCount: new.loadedItemCount, totalCount: new.totalCount,
            json: response.json, headers: response.headers, url: response.http.url)
        new.next = pagingStrategy.next(after: page.target, given: facts)
        position = new
    }
}

extension Int {
    fileprivate func addingClamped(_ other: Int) -> Int {
        let (sum, isTooLarge) = addingReportingOverflow(other)
        return isTooLarge ? .max : sum
    }
}
