/// When a ``CircuitBreaker`` opens, for how long, and how it tries again.
public struct CircuitPolicy: Hashable, Sendable {
    /// What opens a closed circuit.
    public enum Trip: Hashable, Sendable {
        /// This many failures with no success between them. Values below 1 count as 1.
        case consecutiveFailures(Int)
        /// This share of failures, 0 to 1, among the last `of` outcomes, once there are as many. Values of `of` below 1
        /// count as 1, above 1000 as 1000.
        case failureRate(Double, of: Int)
    }

    /// What opens the circuit; by default five failures in a row.
    public var trip: Trip
    /// How long it stays open before it tries again; by default 30 s.
    public var openFor: Duration
    /// How many requests may probe a host at the same time when that time is over, and how many have to succeed until the
    /// circuit is closed; by default 1. Values below 1 count as 1.
    public var probes: Int

    /// Makes a policy; what is left out keeps its default.
    public init(trip: Trip = .consecutiveFailures(5), openFor: Duration = .seconds(30), probes: Int = 1) {
        self.trip = trip
        self.openFor = openFor
        self.probes = probes
    }
}
