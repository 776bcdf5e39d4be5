/// Sends the trace along: a `traceparent` field (and `tracestate`) on every request that goes out, by W3C Trace Context,
/// level 1. Set it in ``SessionConfiguration/tracing``.
///
/// A request of the caller's is one span, in the trace the caller is in or in a new one; every attempt to send it is a
/// span under that, with an identity of its own in the `traceparent` it carries. Monitors hear of both as
/// ``Event/Kind/spanEnded(_:)``. A request that has a `traceparent` of its own keeps it; its attempts are
/// no spans then, since the identity in it is somebody else's.
public struct TracePropagation: Sendable {
    /// Where the fields are sent; nil for everywhere, the default. Redirects to other origins lose them.
    public var origins: Set<Origin>?
    /// The span the caller is in; by default ``TraceContext/current``. Called once for each request, where it is made.
    public var current: @Sendable () -> TraceContext?
    /// Whether a new trace is recorded; by default always. Called once for each request that is in no trace.
    public var samples: @Sendable () -> Bool

    /// Makes a setting.
    public init(
        origins: Set<Origin>? = nil, current: @escaping @Sendable () -> TraceContext? = { TraceContext.current },
        samples: @escaping @Sendable () -> Bool = { true }
    ) {
        self.origins = origins
        self.current = current
        self.samples = samples
    }
}
