/// The time limits of a request. Nil means no limit of that kind.
///
/// - ``connect``: until the connection is there, DNS and TLS included. Only transports that report
///   ``TransportCapabilities/Features/connectTimeout`` apply it; elsewhere the idle limit covers that phase.
/// - ``idle``: the longest stretch with no byte either way.
/// - ``total``: from sending to the last byte, redirects, token refreshes and retries included. The library's own
///   timer keeps it, so it is the same on every transport. It rests while the request waits for its turn: in the queue of
///   ``RequestLimits``, for a token of the ``RateLimit``, for the network (``ConnectivityPolicy``).
public struct Timeouts: Hashable, Sendable {
    /// The limit on making the connection; by default 10 s.
    public var connect: Duration?
    /// The limit on silence; by default 60 s.
    public var idle: Duration?
    /// The limit on the whole exchange; by default none.
    public var total: Duration?

    /// Makes limits; what is left out keeps its default.
    public init(connect: Duration? = .seconds(10), idle: Duration? = .seconds(60), total: Duration? = nil) {
        self.connect = connect
        self.idle = idle
        self.total = total
    }
}

extension Duration {
    /// The duration in seconds.
    package var seconds: Double {
        let parts = components
        return Double(parts.seconds) + Double(parts.attoseconds) * 1e-18
    }
}
