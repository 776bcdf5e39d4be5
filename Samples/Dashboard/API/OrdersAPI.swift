import Trunkline

/// What a customer has ordered, `GET v1/customers/{id}/orders`.
final class OrdersAPI: DashboardAPI<[Product]>, APIManagerProtocol {
    convenience init(of customer: Profile) { self.init(["id": customer.id]) }

    // The parameter of that name goes there.
    func methodName() -> String { "customers/{id}/orders" }
}
