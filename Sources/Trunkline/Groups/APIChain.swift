import Foundation

/// Steps one after the other, each made from the result of the one before.
///
/// ```swift
/// let receipt = try await APIChain("order") { try await shop.createOrder(cart) }
///     .then("pay") { order in try await shop.pay(order) }
///     .thenLoad("confirm") { payment in ConfirmAPI(payment) }
///     .run()
/// ```
///
/// A chain is a value: running it twice runs the steps twice. A failure or a cancellation ends it; what earlier steps did
/// on a server is not undone.
public struct APIChain<Value: Sendable>: Sendable {
    /// The number of steps.
    public let stepCount: Int
    private let work: @Sendable (GroupProgressFeed) async throws(ChainFailure) -> Value

    private init(
        stepCount: Int, work: @escaping @Sendable (GroupProgressFeed) async throws(ChainFailure) -> Value
    ) {
        self.stepCount = stepCount
        self.work = work
    }

    /// Makes a chain of one step.
    ///
    /// - Parameters:
    ///   - name: names the step in a ``ChainFailure``; by default its number alone does.
    ///   - step: does the work.
    public init(_ name: String? = nil, _ step: @escaping @Sendable () async throws -> Value) {
        self.init(stepCount: 1) { feed throws(ChainFailure) in
            try await Self.run(step: 0, name, feed) { try await step() }
        }
    }

    /// Makes a chain that begins with a member: an API manager, say.
    public init(_ name: String? = nil, _ member: some GroupMember<Value>) {
        self.init(name) { try await member.runInGroup() }
    }

    /// The chain with one more step.
    ///
    /// - Parameters:
    ///   - name: names the step in a ``ChainFailure``.
    ///   - step: gets the result of the step before.
    public func then<Next: Sendable>(
        _ name: String? = nil, _ step: @escaping @Sendable (Value) async throws -> Next
    ) -> APIChain<Next> {
        APIChain<Next>(stepCount: stepCount + 1) { [work, stepCount] feed throws(ChainFailure) in
            let value = try await work(feed)
            return try await APIChain<Next>.run(step: stepCount, name, feed) { try await step(value) }
        }
    }

    /// The chain with the load of an API manager as its next step.
    ///
    /// - Parameters:
    ///   - name: names the step in a ``ChainFailure``.
    ///   - manager: makes the manager from the result of the step before, on the main actor.
    public func thenLoad(
        _ name: String? = nil, _ manager: @escaping @MainActor @Sendable (Value) throws -> BaseAPIManager
    ) -> APIChain<APIResponse> {
        then(name) { value in try await manager(value).runInGroup() }
    }

    /// Runs the steps. Cancelling the waiting task cancels the step that runs; none is run after that.
    ///
    /// - Parameter progress: called after each step, in order, off the caller's executor.
    /// - Throws: ``ChainFailure``, saying which step.
    public func run(
        progress: (@Sendable (GroupProgress) -> Void)? = nil
    ) async throws(ChainFailure) -> Value {
        try await work(GroupProgressFeed(total: stepCount, listener: progress))
    }

    /// Runs the steps and calls `completion` once on the main actor.
    ///
    /// - Returns: the run. Keep it: releasing it cancels the chain.
    public func start(
        completion: @escaping @MainActor @Sendable (Result<Value, ChainFailure>) -> Void
    ) -> GroupRun<Result<Value, ChainFailure>> {
        start(delivery: GroupRun.toMainActor(completion))
    }

    /// Runs the steps and calls `completion` once on the queue.
    ///
    /// - Returns: the run. Keep it: releasing it cancels the chain.
    public func start(
        on queue: DispatchQueue, completion: @escaping @Sendable (Result<Value, ChainFailure>) -> Void
    ) -> GroupRun<Result<Value, ChainFailure>> {
        start(delivery: GroupRun.to(queue, completion))
    }

    private func start(
        delivery: @escaping @Sendable (@escaping @Sendable () -> Result<Value, ChainFailure>) async -> Void
    ) -> GroupRun<Result<Value, ChainFailure>> {
        let last = stepCount - 1
        return GroupRun(
            feed: GroupProgressFeed(total: stepCount),
            whenCancelled: { _ in .failure(ChainFailure(step: last, name: nil, underlying: GroupError.cancelled)) },
            deliver: delivery,
            work: { [work] feed in
                do throws(ChainFailure) {
                    return .success(try await work(feed))
                } catch {
                    return .failure(error)
                }
            })
    }

    private static func run(
        step: Int, _ name: String?, _ feed: GroupProgressFeed, _ work: () async throws -> Value
    ) async throws(ChainFailure) -> Value {
        let result: Result<Value, any Error>
        do {
            if Task.isCancelled { throw GroupError.cancelled }
            result = .success(try await work())
        } catch {
            result = .failure(error)
        }
        // A cancel wins over a result that came too late for it.
        if Task.isCancelled { throw ChainFailure(step: step, name: name, underlying: GroupError.cancelled) }
        switch result {
        case .success(let value):
            feed.update(completed: step + 1)
            return value
        case .failure(let error):
            throw ChainFailure(step: step, name: name, underlying: error)
        }
    }
}
