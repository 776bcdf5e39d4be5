import Foundation

/// A request in an outbox, without its body.
public struct OutboxEntry: Hashable, Sendable {
    /// What the entry is doing.
    public enum State: Hashable, Sendable {
        /// It waits for its turn, for the network, or for the time of its next attempt.
        case waiting
        /// It is being sent.
        case sending
        /// The server refused it: its lane waits until the app decides, with `retryFailed` or `cancel`.
        case parked
    }

    /// Names it.
    public let ticket: OutboxTicket
    /// The method.
    public let method: HTTPMethod
    /// The absolute URL, or the path and query below the service's address.
    public let url: String
    /// The service that says where to and sends it; nil for an absolute URL.
    public let service: ServiceIdentifier?
    /// The header fields as they were given; never credentials.
    public let headers: HTTPHeaders
    /// The value of `Idempotency-Key` in every attempt, in every process.
    public let idempotencyKey: String
    /// When it was enqueued, by the wall clock.
    public let created: Date
    /// The length of the body in bytes; nil for none.
    public let bodyLength: Int64?
    /// The attempts so far that may have reached the server, of earlier processes too.
    public internal(set) var attempts: Int
    /// What it is doing.
    public internal(set) var state: State
}
