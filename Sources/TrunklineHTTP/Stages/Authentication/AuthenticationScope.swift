/// Marks what an authentication does to get its credential, a refresh for example: requests that come from in there, on
/// whatever session, are let past that authentication, which they would wait for in vain.
///
/// The mark follows the task and the tasks it starts, and ends with the work: a task that outlives it is like any other.
final class AuthenticationScope: Sendable {
    @TaskLocal private static var current: [AuthenticationScope] = []

    private let owner: ObjectIdentifier
    private let isActive = Protected(true)

    private init(_ owner: ObjectIdentifier) { self.owner = owner }

    /// Whether this runs in such work of the owner.
    static func isInside(_ owner: AnyObject) -> Bool {
        current.contains { $0.owner == ObjectIdentifier(owner) && $0.isActive.current }
    }

    /// Runs the work with the mark.
    static func run<Value: Sendable>(
        for owner: AnyObject, _ work: @Sendable () async throws -> Value
    ) async throws -> Value {
        let scope = AuthenticationScope(ObjectIdentifier(owner))
        defer { scope.isActive.withLock { $0 = false } }
        return try await $current.withValue(current + [scope]) { try await work() }
    }
}
