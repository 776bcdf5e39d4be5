/// An outbox waits while the system says that there is no network; where the system does not say, it tries.
extension NetworkReachability: OutboxReachability {}

/// What an outbox asks of anything that knows the network's path: a stub of a test is one too, once it is declared to be.
extension OutboxReachability where Self: ReachabilityProviding {
    /// Whether nobody says that there is no network.
    public var isReachable: Bool { path.status != .unsatisfied }

    /// Whether there may be a network, now and whenever that changes.
    public var changes: AsyncStream<Bool> {
        let paths = paths
        return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let task = Task {
                for await path in paths { continuation.yield(path.status != .unsatisfied) }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}
