import Trunkline

/// What the shop has, `GET v1/catalogue`.
final class CatalogueAPI: DashboardAPI<Catalogue>, APIManagerProtocol {
    func methodName() -> String { "catalogue" }
}
