import SampleTerminal
import Trunkline
import TrunklineTesting

/// A search field that shows books while the reader types: it asks at every letter, and the manager waits for a pause.
@MainActor
final class SearchScreen {
    private static let pause = Duration.milliseconds(300)

    private let search = BookSearchAPI()
    private var text = ""
    private let end = Callback()

    /// Time as the sample makes it pass: the pauses are exact however busy the machine is. An app leaves the clock out.
    private let clock = TestClock()

    private let table = Table(columns: [
        TableColumn(title: "In the field", width: 12),
        TableColumn(title: "The reader then", width: 15),
        TableColumn(title: "Books shown", width: 49),
    ])

    init() {
        search.paramSource = self
        search.delegate = self
    }

    /// What an app's text field calls at every change.
    private func textChanged() { search.loadDebounced(after: Self.pause, clock: clock) }

    // MARK: - The script

    func show() async {
        print(Terminal.bold("Search as you type"))
        print(table.header)
        await type("dick")
        await type("ens")
    }

    /// Types the letters, one every 80 ms, then waits for the books.
    private func type(_ letters: String) async {
        for (index, letter) in letters.enumerated() {
            if index > 0 { print(table.row(text, "types on")) }
            text.append(letter)
            textChanged()
            await clock.waitForSleepers()
            clock.advance(by: .milliseconds(80))
        }
        await end.wait { clock.advance(by: Self.pause) }
    }
}

extension SearchScreen: APIManagerParamSource {
    // Asked for when the load is made, so it is the text after the pause.
    func paramsForAPI(_ manager: BaseAPIManager) -> Parameters? { ["words": text] }
}

extension SearchScreen: APIManagerCallbackDelegate {
    func managerCallAPISuccess(_ manager: BaseAPIManager) {
        let titles = search.value?.books.map(\.title) ?? []
        print(table.row(text, "pauses", "\(titles.count): \(titles.joined(separator: ", "))"))
        end.arrived()
    }

    func managerCallAPIFailed(_ manager: BaseAPIManager) {
        print(table.row(text, "pauses", search.errorMessage))
        end.arrived()
    }
}
