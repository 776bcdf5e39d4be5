/// Loads that end with an object.
extension BaseAPIManager {
    /// Ties the loads made from now on to a lifetime: when it ends, those in flight are cancelled, no delegate,
    /// validator or interceptor is called for them, and no more are made. Who waits, with `await` or a closure, gets
    /// `.cancelled`. A manager has one owner at a time; loads keep the one they were made for.
    public func bind(to lifetime: LoadLifetime) {
        bond = lifetime.bond
        lifetime.bond.add(self)
    }

    /// Ties the loads made from now on to the life of an object, which is not kept; see ``bind(to:)-(LoadLifetime)``.
    public func bind(to owner: some APILoadOwner) { bind(to: owner.loadLifetime) }

    /// Loads made from now on have no owner.
    public func unbind() { bond = nil }
}
