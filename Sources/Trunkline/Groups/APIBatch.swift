/// Several members of different kinds at once, with a typed result each.
///
/// ```swift
/// let (user, feed, badges) = try await APIBatch.all(userAPI, feedAPI, badgesAPI)
/// ```
///
/// The members run side by side, as child tasks of the call; all have ended when it returns.
public enum APIBatch {
    /// Runs the members and waits for all. The first failure cancels the others, and so does the cancellation of the
    /// waiting task.
    ///
    /// - Parameters:
    ///   - member: API managers, and anything as a ``GroupTask``.
    ///   - maximumConcurrency: how many run at the same time; by default all.
    ///   - progress: called each time members have ended, in order, off the caller's executor.
    /// - Returns: the members' values, in their order.
    /// - Throws: the error of the member that failed first; ``GroupError/cancelled`` when the task was cancelled.
    public static func all<each Member: GroupMember>(
        _ member: repeat each Member, maximumConcurrency: Int? = nil,
        progress: (@Sendable (GroupProgress) -> Void)? = nil
    ) async throws -> (repeat (each Member).Output) {
        let slots = (repeat GroupSlot(each member))
        var batch = Batch<Int, Void>(policy: .allOrNothing, maximumConcurrency: maximumConcurrency)
        for slot in repeat each slots { batch.add(batch.keys.count, slot.work) }
        _ = try await batch.run(progress: progress).allValues()
        return (repeat try (each slots).outcome.get())
    }

    /// Runs the members to their ends, whatever becomes of each.
    ///
    /// - Parameters:
    ///   - member: API managers, and anything as a ``GroupTask``.
    ///   - maximumConcurrency: how many run at the same time; by default all.
    ///   - progress: called each time members have ended, in order, off the caller's executor.
    /// - Returns: the members' results, in their order. When the waiting task was cancelled, those that had not ended
    ///   have the error their cancellation gave, or ``GroupError/cancelled``.
    public static func collect<each Member: GroupMember>(
        _ member: repeat each Member, maximumConcurrency: Int? = nil,
        progress: (@Sendable (GroupProgress) -> Void)? = nil
    ) async -> (repeat Result<(each Member).Output, any Error>) {
        let slots = (repeat GroupSlot(each member))
        var batch = Batch<Int, Void>(policy: .collect, maximumConcurrency: maximumConcurrency)
        for slot in repeat each slots { batch.add(batch.keys.count, slot.work) }
        _ = await batch.run(progress: progress)
        return (repeat (each slots).outcome)
    }

    /// Runs the members until one succeeds, and cancels the others: several mirrors of one thing, say.
    ///
    /// - Throws: ``GroupError/allFailed(_:)`` with every error, ``GroupError/noMembers``, or ``GroupError/cancelled``.
    public static func firstSuccess<Member: GroupMember>(
        of members: [Member], maximumConcurrency: Int? = nil
    ) async throws(GroupError) -> Member.Output {
        var batch = Batch<Int, Member.Output>(policy: .firstSuccess, maximumConcurrency: maximumConcurrency)
        for (index, member) in members.enumerated() { batch.add(index, member) }
        return try await batch.run().firstValue()
    }

    /// ``all(_:maximumConcurrency:progress:)`` with a closure, called once on the main actor.
    ///
    /// - Returns: the run. Keep it: releasing it cancels the members.
    public static func start<each Member: GroupMember>(
        _ member: repeat each Member, maximumConcurrency: Int? = nil,
        completion: @escaping @MainActor @Sendable (Result<(repeat (each Member).Output), any Error>) -> Void
    ) -> GroupRun<Result<(repeat (each Member).Output), any Error>> {
        let slots = (repeat GroupSlot(each member))
        var batch = Batch<Int, Void>(policy: .allOrNothing, maximumConcurrency: maximumConcurrency)
        for slot in repeat each slots { batch.add(batch.keys.count, slot.work) }
        return GroupRun(
            feed: GroupProgressFeed(total: batch.keys.count), whenCancelled: { _ in .failure(GroupError.cancelled) },
            deliver: GroupRun.toMainActor(completion),
            work: { [batch] feed in
                do {
                    _ = try await batch.run { feed.update(completed: $0.completed) }.allValues()
                    return .success((repeat try (each slots).outcome.get()))
                } catch {
                    return .failure(error)
                }
            })
    }
}
