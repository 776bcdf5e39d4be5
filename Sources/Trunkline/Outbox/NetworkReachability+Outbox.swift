/// An outbox waits while the system says that there is no network; where the system does not say, it tries.
extension NetworkReachability: OutboxReachability {
    /// Whether the system does not say that there is no network.
    public var isReachable: Bool { Self.isWorthATry(path) }

    /// Whether there may be a network, now and whenever that changes.
    public var changes: AsyncStream<Bool> {
        let paths = paths
        return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let task = Task {
                for await path in paths { continuation.yield(Self.isWorthATry(path)) }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    private static func isWorthATry(_ path: NetworkPath) -> Bool { path.status != .unsatisfied }
}
