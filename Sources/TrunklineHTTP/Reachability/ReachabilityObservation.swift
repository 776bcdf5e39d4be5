/// An observer of ``NetworkReachability``: ends when it is cancelled or released.
public final class ReachabilityObservation: Sendable {
    private let end: Protected<(@Sendable () -> Void)?>

    init(_ end: @escaping @Sendable () -> Void) { self.end = Protected(end) }

    deinit { cancel() }

    /// Ends it; without effect the second time.
    public func cancel() {
        let end = end.withLock { end in
            defer { end = nil }
            return end
        }
        end?()
    }
}
