/// Says whether an outbox should try to send.
public protocol OutboxReachability: Sendable {
    /// Whether the network, or the server, can be reached now.
    var isReachable: Bool { get async }

    /// Every change from now on, newest value last. A new stream for each caller.
    var changes: AsyncStream<Bool> { get }
}
