import Foundation

/// Names an entry of an outbox: the same in every process, so that an app may keep it with what it changed.
public struct OutboxTicket: Hashable, Sendable, Codable {
    /// The entry's identity.
    public let id: UUID
    /// The lane it waits in.
    public let lane: String

    /// Makes a ticket that was kept in another form.
    public init(id: UUID, lane: String) {
        self.id = id
        self.lane = lane
    }
}
