import Foundation
import Trunkline

/// The favourites a reader has changed and the server has not heard of yet: on the disk until it has.
///
/// Every reader has one. What waits is sent with the token of whoever is logged in by then, so the changes of two readers
/// must not wait in the same place.
struct FavouriteOutbox {
    private let outbox: Outbox

    /// What becomes of the changes from now on.
    var events: AsyncStream<OutboxEvent> { outbox.events }

    /// - Parameters:
    ///   - directory: an app has it in Application Support, where the system removes nothing.
    ///   - network: nothing is sent while it says that there is none; an app passes `NetworkReachability.shared`.
    init(of reader: Reader, in directory: URL, network: any OutboxReachability) throws {
        outbox = try Outbox(
            directory: directory.appendingPathComponent("outbox-\(reader.name)", isDirectory: true),
            configuration: OutboxConfiguration(baseDelay: .milliseconds(50)), reachability: network)
    }

    /// Begins to send what waits, also what an earlier run of the app has left.
    func open() async { await outbox.start() }

    /// Frees the directory: for when the reader logs out. What waits stays there.
    func close() async { await outbox.close() }

    /// Keeps the change. Once this returns, it outlives the process.
    func add(_ change: FavouriteChange) async throws -> OutboxTicket {
        // One lane: marking a book and taking the mark away must arrive in this order.
        try await outbox.enqueue(.post("favourites", json: change), service: .library, lane: "favourites")
    }

    /// How many changes wait.
    var count: Int { get async { await outbox.entries.count } }
}
