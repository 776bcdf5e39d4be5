import Foundation

/// Several members of one kind at once, each under a key: the form for a number that is known at run time only.
/// ``APIBatch`` is shorter where the members are written down.
///
/// ```swift
/// var covers = Batch<Book.ID, Data>(policy: .collect, maximumConcurrency: 4)
/// for book in books { covers.add(book.id) { try await session.request(book.cover).data() } }
/// let outcome = await covers.run { progress in bar.show(progress.fraction) }
/// outcome.values[books[0].id]
/// ```
///
/// A batch is a value: running it twice runs the members twice. Members start in the order they were added, are child
/// tasks of the run, and have all ended when it ends.
public struct Batch<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// When the batch is done; by default when all members succeeded or one failed.
    public var policy: BatchPolicy
    /// How many members run at the same time; nil for all of them. Less than 1 counts as 1.
    public var maximumConcurrency: Int?

    private var works: [Key: @Sendable () async throws -> Value] = [:]
    /// The members' keys in the order they were added.
    public private(set) var keys: [Key] = []

    /// Makes a batch without members.
    public init(policy: BatchPolicy = .allOrNothing, maximumConcurrency: Int? = nil) {
        self.policy = policy
        self.maximumConcurrency = maximumConcurrency
    }

    /// Adds a member. One that is there under the key is replaced, in its place.
    public mutating func add(_ key: Key, _ work: @escaping @Sendable () async throws -> Value) {
        if works.updateValue(work, forKey: key) == nil { keys.append(key) }
    }

    /// Adds a member. One that is there under the key is replaced, in its place.
    public mutating func add(_ key: Key, _ member: some GroupMember<Value>) {
        add(key) { try await member.runInGroup() }
    }

    /// Runs the members and waits until all have ended. Cancelling the waiting task cancels every member.
    ///
    /// - Parameter progress: called each time members have ended, in order, off the caller's executor.
    /// - Returns: a result for every member; it never fails as a whole, see ``BatchOutcome/isSuccess``.
    public func run(progress: (@Sendable (GroupProgress) -> Void)? = nil) async -> BatchOutcome<Key, Value> {
        await run(feed: GroupProgressFeed(total: keys.count, listener: progress))
    }

    /// Runs the members and calls `completion` once on the main actor.
    ///
    /// - Returns: the run. Keep it: releasing it cancels the batch.
    public func start(
        completion: @escaping @MainActor @Sendable (BatchOutcome<Key, Value>) -> Void
    ) -> GroupRun<BatchOutcome<Key, Value>> {
        start(delivery: GroupRun.toMainActor(completion))
    }

    /// Runs the members and calls `completion` once on the queue.
    ///
    /// - Returns: the run. Keep it: releasing it cancels the batch.
    public func start(
        on queue: DispatchQueue, completion: @escaping @Sendable (BatchOutcome<Key, Value>) -> Void
    ) -> GroupRun<BatchOutcome<Key, Value>> {
        start(delivery: GroupRun.to(queue, completion))
    }

    private func start(
        delivery: @escaping @Sendable (@escaping @Sendable () -> BatchOutcome<Key, Value>) async -> Void
    ) -> GroupRun<BatchOutcome<Key, Value>> {
        GroupRun(
            feed: GroupProgressFeed(total: keys.count), whenCancelled: \.cancelled, deliver: delivery,
            work: { await run(feed: $0) })
    }

    private func run(feed: GroupProgressFeed) async -> BatchOutcome<Key, Value> {
        let members = keys.compactMap { works[$0] }
        var results: [Key: Result<Value, any Error>] = [:]
        var firstSuccess: Key?
        var firstFailure: Key?
        let ending = await GroupRunner.run(
            GroupSchedule(
                dependencies: members.map { _ in [] }, limit: maximumConcurrency, stop: policy.stop),
            feed: feed, work: { try await members[$0]() },
            settle: { index, result in
                let key = keys[index]
                results[key] = result
                switch result {
                case .success: firstSuccess = firstSuccess ?? key
                case .failure(GroupError.cancelled): break
                case .failure: firstFailure = firstFailure ?? key
                }
            })
        for key in keys where results[key] == nil { results[key] = .failure(GroupError.cancelled) }
        return BatchOutcome(
            policy: policy, keys: keys, results: results, firstSuccess: firstSuccess, firstFailure: firstFailure,
            isCancelled: ending.isCancelled)
    }
}

extension BatchPolicy {
    /// What ends a batch early.
    var stop: GroupSchedule.Stop {
        switch self {
        case .allOrNothing: .atFailure
        case .collect: .never
        case .firstSuccess: .atSuccess
        }
    }
}
