import Trunkline
import TrunklineTesting

/// What the front page is made of.
extension DashboardServer {
    static func addFrontPage(to server: LoopbackServer, gate: LoopbackGate) {
        server.route(.get, "/v1/profile") { _ in
            .json(ShopData.profile).held(by: gate).delayed(by: .milliseconds(60))
        }
        server.route(.get, "/v1/weather") { request in
            guard let weather = request.query("city").flatMap({ ShopData.weather[$0] }) else { return .status(404) }
            return .json(weather).held(by: gate)
        }
        server.route(.get, "/v1/headlines") { _ in .json(ShopData.headlines).held(by: gate) }
        let closed = ServerMessage(message: "The exchange is closed until Monday.")
        server.route(.get, "/v1/quotes") { _ in .json(closed, status: 503).held(by: gate) }
    }
}
