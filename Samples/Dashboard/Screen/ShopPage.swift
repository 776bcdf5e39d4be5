import SampleTerminal
import Trunkline

/// A page whose parts need each other, loaded by a dependency graph: each part as soon as what it needs is there.
@MainActor
struct ShopPage {
    private let graph = ShopGraph()

    private let parts = Table(columns: [
        TableColumn(title: "Part", width: 15),
        TableColumn(title: "What is shown", width: 60),
    ])
    private let times = Table(columns: [
        TableColumn(title: "Part", width: 15),
        TableColumn(title: "Needs", width: 17),
        TableColumn(title: "When it was loaded", width: Timeline.width),
    ])

    /// Loads the page; shows what came, and when.
    func show() async throws {
        print(Terminal.bold("The shop, each part as soon as it can be"))
        showParts(of: try await graph.plan().run())
        await showTimes()
    }

    /// Loads the page and calls `completion` once. Keep the run: without it the page is not loaded.
    func start(
        completion: @escaping @MainActor @Sendable (GraphOutcome) -> Void
    ) throws -> GroupRun<GraphOutcome> {
        try graph.plan().start(completion: completion)
    }

    func showParts(of outcome: GraphOutcome) {
        print(parts.header)
        show(graph.profile, of: outcome) { $0.name }
        show(graph.catalogue, of: outcome) { "\($0.products.count) products for the \($0.season)" }
        show(graph.orders, of: outcome) { $0.map(\.name).joined(separator: ", ") }
        show(graph.friends, of: outcome) { $0.map(\.name).joined(separator: ", ") }
        show(graph.gifts, of: outcome) { $0.map(\.name).joined(separator: ", ") }
        show(graph.recommendations, of: outcome) { $0.map(\.name).joined(separator: ", ") }
        print()
    }

    private func show<Value>(_ part: NodeKey<Value>, of outcome: GraphOutcome, _ text: (Value) -> String) {
        switch outcome.result(of: part) {
        case .success(let value): print(parts.row(part.name, text(value)))
        case .failure(let error): print(parts.row(part.name, "not there: \(Sentence.about(error))"))
        }
    }

    private func showTimes() async {
        print(times.header)
        for (part, needs) in [
            ("profile", ""), ("catalogue", ""), ("orders", "profile"), ("friends", "profile"),
            ("gifts", "friends"), ("recommendations", "orders, catalogue"),
        ] {
            print(times.row(part, needs, await graph.timeline.bar(of: part)))
        }
        print("At the busiest moment \(await graph.timeline.mostAtOnce) parts were loaded at once")
        print()
    }
}
