import Trunkline

/// The list of books: what an app's view controller or view model would be.
@MainActor
final class BookListScreen {
    let books = HotBooksAPI()
    private(set) var shown: [String] = []
    private(set) var message = ""

    init() { books.delegate = self }

    func open() { books.loadData() }
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
