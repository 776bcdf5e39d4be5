/// What became of a batch: a result for every member.
public struct BatchOutcome<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// The policy the batch ran under.
    public let policy: BatchPolicy
    /// The members in the order they were added.
    public let keys: [Key]
    /// A result for every member. ``GroupError/cancelled`` for one the batch ended before.
    public let results: [Key: Result<Value, any Error>]
    /// The member that succeeded first in time.
    public let firstSuccess: Key?
    /// The member that failed first in time, by itself and not because the batch ended.
    public let firstFailure: Key?
    /// Whether the batch was cancelled from outside before it was done. Results of members that were done before are
    /// kept.
    public let isCancelled: Bool

    /// The values of the members that succeeded.
    public var values: [Key: Value] { results.compactMapValues { try? $0.get() } }

    /// The errors of the members that failed or were cancelled.
    public var failures: [Key: any Error] {
        results.compactMapValues { if case .failure(let error) = $0 { error } else { nil } }
    }

    /// Whether the batch reached what its policy asks for. `.collect` asks for nothing but that it was not cancelled.
    public var isSuccess: Bool {
        guard !isCancelled else { return false }
        return switch policy {
        case .allOrNothing: failures.isEmpty
        case .collect: true
        case .firstSuccess: firstSuccess != nil
        }
    }

    /// The value of every member.
    ///
    /// - Throws: ``GroupError/cancelled`` when the batch was cancelled, else the error of the member that failed first.
    public func allValues() throws -> [Key: Value] {
        if isCancelled { throw GroupError.cancelled }
        if let firstFailure, case .failure(let error) = results[firstFailure] { throw error }
        return try results.mapValues { try $0.get() }
    }

    /// The value that came first.
    ///
    /// - Throws: ``GroupError``: `.cancelled`, `.noMembers`, or `.allFailed` with every member's error.
    public func firstValue() throws(GroupError) -> Value {
        if isCancelled { throw .cancelled }
        if keys.isEmpty { throw .noMembers }
        guard let firstSuccess, case .success(let value) = results[firstSuccess] else {
            let failures = failures
            throw .allFailed(keys.compactMap { failures[$0] })
        }
        return value
    }

    /// The same batch, cancelled when it was done but nobody had heard of it.
    var cancelled: BatchOutcome {
        BatchOutcome(
            policy: policy, keys: keys, results: results.mapValues { _ in .failure(GroupError.cancelled) },
            firstSuccess: nil, firstFailure: nil, isCancelled: true)
    }
}
