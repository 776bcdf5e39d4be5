import Trunkline

extension ServiceIdentifier {
    /// The dashboard's backend; see `DashboardService`.
    static let dashboard: ServiceIdentifier = "dashboard"
}
