import Trunkline

/// Who is logged in, `GET v1/profile`.
final class ProfileAPI: DashboardAPI<Profile>, APIManagerProtocol {
    func methodName() -> String { "profile" }
}
