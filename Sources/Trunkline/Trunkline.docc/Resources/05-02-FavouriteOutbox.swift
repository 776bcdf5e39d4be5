import Foundation
import Trunkline

/// The favourites a reader has changed and the server has not heard of yet: on the disk until it has.
struct FavouriteOutbox {
    let outbox: Outbox

    /// - Parameter directory: of one reader: what waits is sent with the token of whoever is logged in by then.
    init(directory: URL, network: any OutboxReachability = NetworkReachability.shared) throws(OutboxError) {
        outbox = try Outbox(directory: directory, reachability: network)
    }

    /// Begins to send what waits, also what an earlier run of the app has left.
    func open() async { await outbox.start() }

    /// Keeps the change. Once this returns, it outlives the process.
    func add(_ change: FavouriteChange) async throws -> OutboxTicket {
        // One lane: marking a book and taking the mark away must arrive in this order.
        try await outbox.enqueue(.post("favourites", json: change), service: .library, lane: "favourites")
    }
}
