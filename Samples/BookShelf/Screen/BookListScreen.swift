import SampleTerminal
import Trunkline

/// The list of books, the delegate way: what an app's view controller or view model would be.
@MainActor
final class BookListScreen {
    /// What went wrong; nil while nothing has.
    private(set) var failure: APIError?

    private let books = BooksHotListAPI()
    private let reformer = BookReformer()
    private let lastPage: Int
    private let end = Callback()

    private let table = Table(columns: [
        TableColumn(title: "#", width: 3, alignment: .right),
        TableColumn(title: "Title", width: 37),
        TableColumn(title: "Author", width: 24),
        TableColumn(title: "Year", width: 4, alignment: .right),
        TableColumn(title: "Lang", width: 4),
    ])

    /// - Parameter pages: how many pages to show at most; nil for all.
    init(pages: Int?) {
        lastPage = pages ?? .max
        books.paramSource = self
        books.delegate = self
    }

    /// Shows the pages one after the other; returns after the last, or when one could not be loaded.
    func show() async {
        await end.wait { books.loadData() }
    }

    private func show(page: Int, _ list: BookList) {
        let pages = books.totalPages.map { " of \($0)" } ?? ""
        let before = books.loadedItemCount - list.books.count
        print(Terminal.bold("Page \(page)\(pages)"))
        print(table.header)
        for (offset, book) in list.books.enumerated() {
            print(table.row("\(before + offset + 1)", book.title, book.author, "\(book.year)", book.language))
        }
        print()
    }
}

extension BookListScreen: APIManagerParamSource {
    // Books of all languages: the list needs nothing but the page, which the manager adds.
    func paramsForAPI(_ manager: BaseAPIManager) -> Parameters? { nil }
}

extension BookListScreen: APIManagerCallbackDelegate {
    func managerCallAPISuccess(_ manager: BaseAPIManager) {
        guard let list = books.fetchJSONData(reformer).value, let page = books.currentPage else {
            failure = APIError(.invalidContent, reason: "The answer is not a list of books.")
            return end.arrived()
        }
        show(page: page, list)
        if books.isLastPage || page >= lastPage {
            end.arrived()
        } else {
            // An app does this when the reader scrolls to the end.
            books.loadNextPage()
        }
    }

    func managerCallAPIFailed(_ manager: BaseAPIManager) {
        failure = books.error
        end.arrived()
    }
}
