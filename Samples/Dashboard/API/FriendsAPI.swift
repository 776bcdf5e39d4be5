import Trunkline

/// Whom a customer knows, `GET v1/customers/{id}/friends`.
final class FriendsAPI: DashboardAPI<[Friend]>, APIManagerProtocol {
    convenience init(of customer: Profile) { self.init(["id": customer.id]) }

    func methodName() -> String { "customers/{id}/friends" }
}
