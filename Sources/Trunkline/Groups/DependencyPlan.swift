import Foundation

/// A ``DependencyGraph`` that was checked and can be run, any number of times; each run runs every node once at most.
public struct DependencyPlan: Sendable {
    let nodes: [GraphNode]
    let dependencies: [[Int]]
    let policy: GraphFailurePolicy
    let limit: Int?

    /// Runs the nodes, as child tasks of the call, and waits until all have ended. Cancelling the waiting task cancels
    /// every node that runs and starts no other.
    ///
    /// - Parameter progress: called each time nodes have ended or were skipped, in order, off the caller's executor.
    /// - Returns: a result for every node.
    public func run(progress: (@Sendable (GroupProgress) -> Void)? = nil) async -> GraphOutcome {
        await run(feed: GroupProgressFeed(total: nodes.count, listener: progress))
    }

    /// Runs the nodes and calls `completion` once on the main actor.
    ///
    /// - Returns: the run. Keep it: releasing it cancels the nodes.
    public func start(
        completion: @escaping @MainActor @Sendable (GraphOutcome) -> Void
    ) -> GroupRun<GraphOutcome> {
        start(delivery: GroupRun.toMainActor(completion))
    }

    /// Runs the nodes and calls `completion` once on the queue.
    ///
    /// - Returns: the run. Keep it: releasing it cancels the nodes.
    public func start(
        on queue: DispatchQueue, completion: @escaping @Sendable (GraphOutcome) -> Void
    ) -> GroupRun<GraphOutcome> {
        start(delivery: GroupRun.to(queue, completion))
    }

    private func start(
        delivery: @escaping @Sendable (@escaping @Sendable () -> GraphOutcome) async -> Void
    ) -> GroupRun<GraphOutcome> {
        GroupRun(
            feed: GroupProgressFeed(total: nodes.count), whenCancelled: \.cancelled, deliver: delivery,
            work: { await run(feed: $0) })
    }

    private func run(feed: GroupProgressFeed) async -> GraphOutcome {
        let values = GraphValues()
        var results: [Int: Result<any Sendable, any Error>] = [:]
        let ending = await GroupRunner.run(
            GroupSchedule(
                dependencies: dependencies, limit: limit, stop: policy == .cancelAll ? .atFailure : .never),
            feed: feed, work: { [nodes] in try await nodes[$0].work(values) },
            settle: { index, result in
                results[index] = result
                if case .success(let value) = result { values.set(nodes[index].id, value) }
            })
        var outcome: [NodeID: Result<any Sendable, any Error>] = [:]
        for (index, fate) in ending.schedule.fates.enumerated() {
            let id = nodes[index].id
            switch fate {
            case .skipped(let cause):
                var reason: any Error = GroupError.cancelled
                if case .failure(let error) = results[cause] { reason = error }
                outcome[id] = .failure(
                    GroupError.dependencyFailed(node: id.name, cause: nodes[cause].id.name, reason))
            default: outcome[id] = results[index] ?? .failure(GroupError.cancelled)
            }
        }
        return GraphOutcome(results: outcome, isCancelled: ending.isCancelled)
    }
}
