import Foundation

/// What an accepted page says about the list: all that decides which page is next.
public struct PageFacts: Sendable {
    /// The number of items on the page; nil when it can't be told: the page then counts as full.
    public var itemCount: Int?
    /// The number of items a full page has.
    public var pageSize: Int
    /// The number of items of the accepted pages, this one included.
    public var loadedItemCount: Int
    /// The number of items the server has in all, where it says so.
    public var totalCount: Int?
    /// The page's content.
    public var json: JSONValue?
    /// The page's header fields.
    public var headers: HTTPHeaders
    /// The URL that answered, which links are relative to.
    public var url: URL?

    /// Makes facts; what is left out is not known.
    public init(
        itemCount: Int? = nil, pageSize: Int, loadedItemCount: Int, totalCount: Int? = nil, json: JSONValue? = nil,
        headers: HTTPHeaders = [:], url: URL? = nil
    ) {
        self.itemCount = itemCount
        self.pageSize = pageSize
        self.loadedItemCount = loadedItemCount
        self.totalCount = totalCount
        self.json = json
        self.headers = headers
        self.url = url
    }

    /// Whether a list that ends with its total, or with a page that is not full, ends here. An empty page ends every
    /// list; a short one ends a list whose total isn't known.
    var endsTheList: Bool {
        if itemCount == 0 { return true }
        if let totalCount { return loadedItemCount >= totalCount }
        return itemCount.map { $0 < pageSize } ?? false
    }
}
