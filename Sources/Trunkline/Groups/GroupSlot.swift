/// A member of a batch of different kinds, with a place for its result, so that no type is ever guessed.
struct GroupSlot<Member: GroupMember>: Sendable {
    private let member: Member
    private let result = Protected<Result<Member.Output, any Error>>(.failure(GroupError.cancelled))

    init(_ member: Member) { self.member = member }

    /// The member's work, which leaves its result here too.
    var work: @Sendable () async throws -> Void {
        { [member, result] in
            do {
                let output = try await member.runInGroup()
                result.withLock { $0 = .success(output) }
            } catch {
                result.withLock { $0 = .failure(error) }
                throw error
            }
        }
    }

    /// What the member gave; cancelled when it was not started.
    var outcome: Result<Member.Output, any Error> { result.current }
}
