import Trunkline

/// The list of books: what an app's view controller or view model would be.
@MainActor
final class BookListScreen {
    let books = HotBooksAPI()
    private(set) var shown: [String] = []
    private(set) var message = ""

    init() { books.delegate = self }

    func open() { books.loadData() }

    /// The reader pulls the list down: it starts anew, and the old one stays until the new first page is there.
    func refresh() { books.loadData() }

    /// A row comes on screen: near the end the next page is loaded.
    func willShow(row: Int) { books.prefetch(at: row) }
}

extension BookListScreen: APIManagerCallbackDelegate {
    func managerCallAPISuccess(_ manager: BaseAPIManager) {
        shown = books.items.map(\.title)
        message = ""
    }

    func managerCallAPIFailed(_ manager: BaseAPIManager) {
        message = manager.errorMessage
    }
}
