import Trunkline

/// A search field that shows books while the reader types.
@MainActor
final class SearchScreen {
    let search = BookSearchAPI()
    private(set) var titles: [String] = []

    /// What the text field calls at every change: the load waits for a pause.
    var text = "" {
        didSet { search.loadDebounced(after: .milliseconds(300)) }
    }

    init() {
        search.paramSource = self
        search.delegate = self
    }
}

extension SearchScreen: APIManagerParamSource {
    // Asked for when the load is made, so it is the text after the pause.
    func paramsForAPI(_ manager: BaseAPIManager) -> Parameters? { ["words": text] }
}

extension SearchScreen: APIManagerCallbackDelegate {
    func managerCallAPISuccess(_ manager: BaseAPIManager) {
        titles = search.value?.books.map(\.title) ?? []
    }

    func managerCallAPIFailed(_ manager: BaseAPIManager) {
        guard manager.errorType != .cancelled else { return }
        titles = []
    }
}
