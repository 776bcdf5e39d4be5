import Trunkline

/// The prices of shares, `GET v1/quotes`.
final class QuotesAPI: DashboardAPI<[Quote]>, APIManagerProtocol {
    func methodName() -> String { "quotes" }
}
