import Trunkline

/// The way to the network, for the outbox and for the service. An app passes `NetworkReachability.shared` to its outbox as it
/// is; this one can be given a stub, so that the sample can take the network away.
struct Network: OutboxReachability {
    let source: any ReachabilityProviding

    // Where the system doesn't know, a try is worth it.
    var isReachable: Bool { source.path.status != .unsatisfied }

    var changes: AsyncStream<Bool> {
        let paths = source.paths
        return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let task = Task {
                for await path in paths { continuation.yield(path.status != .unsatisfied) }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}
