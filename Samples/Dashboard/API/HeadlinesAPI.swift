import Trunkline

/// The news of the day, `GET v1/headlines`.
final class HeadlinesAPI: DashboardAPI<[Headline]>, APIManagerProtocol {
    func methodName() -> String { "headlines" }
}
