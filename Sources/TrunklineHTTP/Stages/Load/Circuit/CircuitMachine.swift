/// The circuit of one host as a pure state machine: `(state, event, now) → (state, verdict)`.
///
///     closed ──trips──▶ open ──openFor──▶ half-open ──enough successes──▶ closed
///                        ▲──────one failure──┘
///
/// Every passage begins a new generation. An outcome counts only in the generation its request was let through in, so
/// that a late answer from before neither closes an open circuit nor opens it anew.
struct CircuitMachine: Hashable, Sendable {
    /// What a closed circuit remembers.
    struct Tally: Hashable, Sendable {
        var consecutive = 0
        /// The last outcomes, oldest first, true for a failure; empty where no rate is asked for.
        var recent: [Bool] = []
    }

    enum State: Hashable, Sendable {
        case closed(Tally)
        case open(until: Duration)
        case halfOpen(running: Int, succeeded: Int)
    }

    /// What an exchange says about its host.
    enum Outcome: Hashable, Sendable {
        case success
        case failure
        /// Nothing: it was cancelled, or failed for reasons of its own.
        case nothing
    }

    enum Event: Hashable, Sendable {
        /// A request asks to be sent.
        case ask
        /// A request that was let through has ended.
        case ended(Outcome, generation: Int)
    }

    enum Verdict: Hashable, Sendable {
        /// It may be sent, and must report its end with this generation.
        case pass(generation: Int)
        /// It must fail; probes are sent after this time, or are under way when it is zero.
        case refuse(after: Duration)
        /// The end was taken in.
        case noted
    }

    private(set) var state = State.closed(Tally())
    private(set) var generation = 0

    mutating func handle(_ event: Event, _ policy: CircuitPolicy, now: Duration) -> Verdict {
        switch event {
        case .ask:
            return ask(policy, now: now)
        case .ended(let outcome, generation: generation):
            end(outcome, policy, now: now)
            return .noted
        case .ended:
            return .noted
        }
    }

    /// Whether a request would be refused now; changes nothing.
    func refusal(_ policy: CircuitPolicy, now: Duration) -> Duration? {
        var copy = self
        guard case .refuse(let wait) = copy.handle(.ask, policy, now: now) else { return nil }
        return wait
    }

    private mutating func ask(_ policy: CircuitPolicy, now: Duration) -> Verdict {
        switch state {
        case .closed:
            return .pass(generation: generation)
        case .open(let until) where now < until:
            return .refuse(after: until - now)
        case .open:
            move(to: .halfOpen(running: 1, succeeded: 0))
            return .pass(generation: generation)
        case .halfOpen(let running, let succeeded):
            guard running + succeeded < max(1, policy.probes) else { return .refuse(after: .zero) }
            state = .halfOpen(running: running + 1, succeeded: succeeded)
            return .pass(generation: generation)
        }
    }

    private mutating func end(_ outcome: Outcome, _ policy: CircuitPolicy, now: Duration) {
        switch (state, outcome) {
        case (.closed(let tally), .success), (.closed(let tally), .failure):
            let tally = tally.adding(outcome, policy.trip)
            if tally.trips(policy.trip) { open(policy, now: now) } else { state = .closed(tally) }
        case (.halfOpen, .failure):
            open(policy, now: now)
        case (.halfOpen(let running, let succeeded), .success):
            if succeeded + 1 >= max(1, policy.probes) {
                move(to: .closed(Tally()))
            } else {
                state = .halfOpen(running: max(0, running - 1), succeeded: succeeded + 1)
            }
        case (.halfOpen(let running, let succeeded), .nothing):
            state = .halfOpen(running: max(0, running - 1), succeeded: succeeded)
        case (.closed, .nothing), (.open, _):
            break
        }
    }

    private mutating func open(_ policy: CircuitPolicy, now: Duration) {
        move(to: .open(until: now + min(max(.zero, policy.openFor), Timeline.longest)))
    }

    private mutating func move(to state: State) {
        self.state = state
        generation += 1
    }
}

extension CircuitMachine.Tally {
    fileprivate func adding(_ outcome: CircuitMachine.Outcome, _ trip: CircuitPolicy.Trip) -> Self {
        var tally = self
        let failed = outcome == .failure
        switch trip {
        case .consecutiveFailures:
            tally.consecutive = failed ? tally.consecutive + 1 : 0
        case .failureRate(_, let window):
            tally.recent.append(failed)
            let excess = tally.recent.count - Self.window(window)
            if excess > 0 { tally.recent.removeFirst(excess) }
        }
        return tally
    }

    fileprivate func trips(_ trip: CircuitPolicy.Trip) -> Bool {
        switch trip {
        case .consecutiveFailures(let limit):
            return consecutive >= max(1, limit)
        case .failureRate(let rate, let window):
            guard recent.count >= Self.window(window) else { return false }
            let failures = recent.count { $0 }
            // A rate of 0 must not open on successes alone.
            return failures > 0 && Double(failures) >= rate * Double(recent.count)
        }
    }

    private static func window(_ size: Int) -> Int { min(max(1, size), 1000) }
}
