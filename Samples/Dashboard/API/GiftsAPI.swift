import Trunkline

/// What friends would like to have, `GET v1/gifts?for=…`.
final class GiftsAPI: DashboardAPI<[Product]>, APIManagerProtocol {
    convenience init(for friends: [Friend]) {
        self.init(["for": friends.map(\.name).joined(separator: ",")])
    }

    func methodName() -> String { "gifts" }
}
