import Trunkline
import TrunklineTesting

/// The favourites of every reader, and what changes them.
extension BookServer {
    static func addFavourites(_ favourites: FavouriteStore, to server: LoopbackServer, gate: LoopbackGate) {
        server.route(.get, "/v1/favourites") { request in
            guard let reader = reader(of: request) else { return tokenRefusal }
            return .json(await favourites.list(of: reader)).held(by: gate)
        }
        server.route(.post, "/v1/favourites") { request in
            guard let reader = reader(of: request) else { return tokenRefusal }
            guard let key = request.headers["Idempotency-Key"] else {
                return .json(ServerMessage(message: "A change needs an Idempotency-Key."), status: 400)
            }
            let change = try request.json(as: FavouriteChange.self)
            let number = await favourites.receive(change, of: reader, key: key)
            // The second change is made, and its answer gets lost: a gateway on the way says that it waited in vain.
            return number == 2 ? .status(504) : .json(change, status: 201)
        }
    }
}
