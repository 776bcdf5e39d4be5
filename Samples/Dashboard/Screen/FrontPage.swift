import SampleTerminal
import Trunkline

/// Four parts that have nothing to do with each other, loaded at once by a batch. One that fails leaves a gap, and no more.
@MainActor
struct FrontPage {
    private let weatherAPI = WeatherAPI(city: "Lisbon")
    private let headlinesAPI = HeadlinesAPI()
    private let quotesAPI = QuotesAPI()
    private let profileAPI = ProfileAPI()

    private let table = Table(columns: [
        TableColumn(title: "Part", width: 8),
        TableColumn(title: "What is shown", width: 66),
    ])

    func show() async {
        print(Terminal.bold("The front page, all parts at once"))
        // A result for each, with the type of its own. `APIBatch.all` would throw at the first failure and cancel the rest.
        let (weather, headlines, quotes, profile) = await APIBatch.collect(
            weatherAPI.member, headlinesAPI.member, quotesAPI.member, profileAPI.member,
            progress: { print("\($0.completed) of \($0.total) parts have ended") })

        print(table.header)
        show("Profile", profile) { "Good morning, \($0.name)" }
        show("Weather", weather) { "\($0.city): \($0.sky), \($0.celsius) °C" }
        show("News", headlines) { $0.map(\.title).joined(separator: "; ") }
        show("Stocks", quotes) { $0.map { "\($0.symbol) \($0.price)" }.joined(separator: ", ") }
        print()
    }

    private func show<Value>(_ part: String, _ result: Result<Value, any Error>, _ text: (Value) -> String) {
        switch result {
        case .success(let value): print(table.row(part, text(value)))
        case .failure(let error): print(table.row(part, "not there: \(Sentence.about(error))"))
        }
    }
}
