import Trunkline
import TrunklineTesting

/// What the shop's page is made of.
extension DashboardServer {
    static func addShop(to server: LoopbackServer, gate: LoopbackGate) {
        // None of these three is answered before all were asked for: one after the other, nobody would get far.
        let three = LoopbackGate(opensAt: 3)
        server.route(.get, "/v1/catalogue") { _ in
            try await three.wait()
            return .json(ShopData.catalogue).held(by: gate).delayed(by: .milliseconds(90))
        }
        server.route(.get, "/v1/customers/{id}/orders") { request in
            try await three.wait()
            let ids = request["id"].flatMap { Int($0) }.flatMap { ShopData.orders[$0] } ?? []
            return .json(ShopData.products(ids)).held(by: gate).delayed(by: .milliseconds(60))
        }
        let nobody = ServerMessage(message: "Nobody can be found today.")
        server.route(.get, "/v1/customers/{id}/friends") { _ in
            try await three.wait()
            return .json(nobody, status: 500).held(by: gate).delayed(by: .milliseconds(30))
        }
        server.route(.get, "/v1/gifts") { _ in .json([Product]()).held(by: gate) }
        server.route(.get, "/v1/recommendations") { request in
            let ordered = (request.query("ordered") ?? "").split(separator: ",").compactMap { Int($0) }
            let ids = ordered.flatMap { ShopData.companions[$0] ?? [] }
            return .json(ShopData.products(ids)).held(by: gate).delayed(by: .milliseconds(60))
        }
    }
}
