/// What keeps refreshes from going wrong for ever.
public struct RefreshLimits: Hashable, Sendable {
    /// How long one refresh may take; then it is cancelled and has failed with ``TimeoutPhase/total``. By default 60 s.
    public var timeout: Duration
    /// How many refreshes may begin within ``window``; further ones fail at once. By default 5.
    public var count: Int
    /// The time in which ``count`` refreshes may begin. By default 30 s.
    public var window: Duration

    /// Makes limits; what is left out keeps its default.
    public init(timeout: Duration = .seconds(60), count: Int = 5, window: Duration = .seconds(30)) {
        self.timeout = timeout
        self.count = count
        self.window = window
    }
}
