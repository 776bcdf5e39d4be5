import Foundation

/// Spares a host that keeps failing, and its callers the wait: requests to it fail at once, until a few that are let
/// through show that it answers again.
///
///     configuration.circuitBreaker = CircuitBreaker()
///
/// Each scheme, host and port has a circuit of its own; sessions given the same breaker share them. Every attempt counts,
/// retries and hedges too, by its response or error:
///
/// - failures are a status of 500 to 599, no connection, a connection that was lost before the response was there, a name
///   that isn't found, and the limits ``Timeouts/connect`` and ``Timeouts/idle``;
/// - successes are all other responses, 4xx too: the host answered;
/// - nothing is counted for a cancelled request, a device without a network, TLS and pinning errors, and errors of the
///   app's own.
///
/// A refused request ends with ``HTTPError/circuitOpen(host:retryAfter:)``, is not retried by the ``RetryPolicy``, and was
/// not sent. Requests that wait in the queue of ``RequestLimits`` are refused when their turn comes.
///
/// All members may be used from any thread.
public final class CircuitBreaker: Sendable {
    /// The settings.
    public let policy: CircuitPolicy

    private struct State: Sendable {
        /// Only hosts with something to remember are in it.
        var circuits: [Origin: CircuitMachine] = [:]
        /// The number of circuits at which the closed ones are forgotten.
        var crowd = 4096

        mutating func forgetSome() {
            guard circuits.count > crowd else { return }
            circuits = circuits.filter { $0.value.publicState(now: .zero) != .closed }
            crowd = max(4096, 2 * circuits.count)
        }
    }

    private let timeline: Timeline
    private let protected = Protected(State())
    private let feed = Broadcast<CircuitChange>(.bufferingNewest(64))

    /// Makes a breaker whose circuits are all closed.
    ///
    /// - Parameters:
    ///   - policy: when it opens.
    ///   - clock: measures how long it stays open.
    public init(_ policy: CircuitPolicy = CircuitPolicy(), clock: any Clock<Duration> = ContinuousClock()) {
        self.policy = policy
        timeline = Timeline(clock)
    }

    /// The state of the circuit of the URL's scheme, host and port.
    public func state(of url: URL) -> CircuitState {
        let now = timeline.now()
        return protected.withLock { $0.circuits[Origin(url)] }?.publicState(now: now) ?? .closed
    }

    /// Every passage of a circuit from now on, as it happens: closed to open, open to half-open (when the first probe is
    /// sent), half-open to closed or open. Each caller has a stream of its own; of those not yet read the newest 64 are
    /// kept.
    public var changes: AsyncStream<CircuitChange> { feed.stream() }

    /// Closes every circuit.
    public func reset() { protected.withLock { $0.circuits = [:] } }

    // MARK: - For the stages

    func isClosed(_ origin: Origin) -> Bool {
        protected.withLock { $0.circuits[origin] }.map { $0.publicState(now: .zero) == .closed } ?? true
    }

    /// Fails when a request would be refused; counts nothing.
    func check(_ origin: Origin) throws(HTTPError) {
        let now = timeline.now()
        if let wait = protected.withLock({ $0.circuits[origin]?.refusal(policy, now: now) }) {
            throw .circuitOpen(host: origin.hostAndPort, retryAfter: wait)
        }
    }

    /// Lets a request through, which must then report its end, or fails.
    func enter(_ origin: Origin) throws(HTTPError) -> Int {
        switch handle(.ask, origin) {
        case .pass(let generation): return generation
        case .refuse(let wait): throw .circuitOpen(host: origin.hostAndPort, retryAfter: wait)
        case .noted: return 0
        }
    }

    func leave(_ origin: Origin, generation: Int, _ outcome: CircuitMachine.Outcome) {
        _ = handle(.ended(outcome, generation: generation), origin)
    }

    private func handle(_ event: CircuitMachine.Event, _ origin: Origin) -> CircuitMachine.Verdict {
        let now = timeline.now()
        return protected.withLock { state in
            var circuit = state.circuits[origin] ?? CircuitMachine()
            let before = circuit.generation
            let verdict = circuit.handle(event, policy, now: now)
            // A closed circuit without failures is as good as a new one.
            state.circuits[origin] = circuit == CircuitMachine() ? nil : circuit
            state.forgetSome()
            if circuit.generation != before {
                // Under the lock, so that everybody hears the changes in their order.
                feed.send(CircuitChange(host: origin.hostAndPort, state: circuit.publicState(now: now)))
            }
            return verdict
        }
    }
}

extension CircuitMachine {
    func publicState(now: Duration) -> CircuitState {
        switch state {
        case .closed: .closed
        case .open(let until): .open(probesIn: max(.zero, until - now))
        case .halfOpen: .halfOpen
        }
    }
}

extension Origin {
    /// The host, with the port where it is not the scheme's own.
    var hostAndPort: String { port == (scheme == "https" ? 443 : 80) ? host : "\(host):\(port)" }
}
