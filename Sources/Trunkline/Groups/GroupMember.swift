/// What can take part in a batch, chain or graph: something that is run once and gives a value or an error.
///
/// ``BaseAPIManager`` is one, with its answer; ``GroupTask`` makes one of any async closure and of a session's request.
public protocol GroupMember<Output>: Sendable {
    /// What it gives.
    associatedtype Output: Sendable

    /// Runs it. The cancellation of the group arrives as the cancellation of the task.
    func runInGroup() async throws -> Output
}

extension BaseAPIManager: GroupMember {
    /// Loads, as ``load()`` does: delegates take part as ever, and the group's cancellation cancels the load.
    public nonisolated func runInGroup() async throws -> APIResponse { try await load() }
}
