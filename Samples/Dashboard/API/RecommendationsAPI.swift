import Trunkline

/// What goes with orders at this time of the year, `GET v1/recommendations?season=…&ordered=…`.
final class RecommendationsAPI: DashboardAPI<[Product]>, APIManagerProtocol {
    convenience init(for orders: [Product], from catalogue: Catalogue) {
        self.init([
            "season": catalogue.season,
            "ordered": orders.map { "\($0.id)" }.joined(separator: ","),
        ])
    }

    func methodName() -> String { "recommendations" }
}
