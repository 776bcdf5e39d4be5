/// Remembers an entry's ``Freshness``, so that a hit doesn't read dates. It is no part of the entry's identity.
final class FreshnessMemo: Hashable, Sendable {
    private let state = Protected<Freshness?>(nil)

    /// The value, worked out by the first who asks.
    func value(_ make: () -> Freshness) -> Freshness {
        if let known = state.current { return known }
        let made = make()
        state.withLock { $0 = made }
        return made
    }

    static func == (lhs: FreshnessMemo, rhs: FreshnessMemo) -> Bool { true }

    func hash(into hasher: inout Hasher) {}
}
