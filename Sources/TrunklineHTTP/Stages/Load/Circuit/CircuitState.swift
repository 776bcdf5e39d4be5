/// Whether requests to a host go through a ``CircuitBreaker``.
public enum CircuitState: Hashable, Sendable {
    /// They do.
    case closed
    /// They fail at once; after this time the next one probes the host.
    case open(probesIn: Duration)
    /// The time is over: a few probe the host, the others fail at once.
    case halfOpen
}

/// A circuit that changed.
public struct CircuitChange: Hashable, Sendable {
    /// The host, with its port where that is not the scheme's own.
    public var host: String
    /// The state from now on.
    public var state: CircuitState
}
