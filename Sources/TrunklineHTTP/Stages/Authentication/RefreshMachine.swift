import Foundation

/// The life of a credential and its refreshes as a state machine: events go in, what has to be done comes out, and
/// nothing is done here. Its owner holds the lock, so each waiter is taken out, and so resumed, exactly once.
///
///     none ──set──▶ idle ──ask, credential unwanted──▶ refreshing ──finish──▶ idle, or none when refused
///       ◀──logOut────┴──────────────────────────────────────┘
///
/// A refresh is keyed by the credential it replaces: who asks for the replacement of another credential than the current
/// one gets the current one, with no refresh.
struct RefreshMachine<Credential: Hashable & Sendable>: Sendable {
    typealias Outcome = Result<Credential, AuthenticationFailure>
    /// Hears the outcome, once; nil when it was cancelled.
    typealias Waiter = @Sendable (Outcome?) -> Void

    private struct Flight: Sendable {
        let id: Int
        var waiters: [Int: Waiter] = [:]
        var tasks: [Task<Void, Never>] = []
    }

    /// What becomes of a question.
    enum Answer: Sendable {
        /// The outcome is known; the waiter is not called.
        case settled(Outcome)
        /// The waiter is called when the refresh that runs has ended.
        case waiting
        /// The same, and the refresh of this credential is to be started under this number.
        case start(flight: Int, Credential)
    }

    /// What is to be done when a refresh has ended, or was overtaken.
    struct Ending: Sendable {
        var outcome: Outcome
        var waiters: [Waiter]
        var tasks: [Task<Void, Never>]
    }

    private(set) var credential: Credential?
    /// Counts log-outs: what began before one is not continued as somebody else.
    private(set) var epoch = 0
    private let limits: RefreshLimits
    /// Why there is no credential any more.
    private var lapse: AuthenticationFailure?
    private var flight: Flight?
    private var lastFlight = 0
    private var lastWaiter = 0
    /// When refreshes began, within the window.
    private var starts: [Date] = []

    init(credential: Credential?, limits: RefreshLimits) {
        self.credential = credential
        self.limits = limits
    }

    /// The number of the running refresh.
    var runningFlight: Int? { flight?.id }

    /// Whether there is no credential because none was ever set, or after a log-out.
    var isUnset: Bool { credential == nil && lapse == nil }

    /// The credential as it is, also while it is being replaced.
    func current(epoch: Int) -> Outcome {
        guard epoch == self.epoch else { return .failure(AuthenticationFailure(reason: .loggedOut)) }
        guard let credential else { return .failure(lapse ?? AuthenticationFailure(reason: .noCredential)) }
        return .success(credential)
    }

    /// How many wait for it.
    var waiterCount: Int { flight?.waiters.count ?? 0 }

    mutating func nextWaiter() -> Int {
        lastWaiter += 1
        return lastWaiter
    }

    /// What is known without any wait: the current credential unless it is the unwanted one or is being replaced, or why
    /// there is none. Nil when a refresh is needed or runs.
    func settled(replacing unwanted: Credential?, epoch: Int) -> Outcome? {
        guard case .success(let credential) = current(epoch: epoch) else { return current(epoch: epoch) }
        return flight != nil || credential == unwanted ? nil : .success(credential)
    }

    /// Asks for a credential that is not the unwanted one.
    mutating func ask(
        replacing unwanted: Credential?, epoch: Int, now: Date, waiter id: Int, _ waiter: @escaping Waiter
    ) -> Answer {
        if let outcome = settled(replacing: unwanted, epoch: epoch) { return .settled(outcome) }
        if flight != nil {
            flight?.waiters[id] = waiter
            return .waiting
        }
        guard let credential else { return .settled(.failure(AuthenticationFailure(reason: .noCredential))) }
        // A time in the future is one from before the clock was set back.
        let window = limits.window.seconds
        starts.removeAll { $0 > now || now.timeIntervalSince($0) >= window }
        guard starts.count < limits.count else {
            return .settled(.failure(AuthenticationFailure(reason: .tooManyRefreshes)))
        }
        starts.append(now)
        lastFlight += 1
        flight = Flight(id: lastFlight, waiters: [id: waiter])
        return .start(flight: lastFlight, credential)
    }

    /// Keeps the tasks of a refresh, to cancel them when it has ended. False when it has ended already.
    mutating func keep(_ tasks: [Task<Void, Never>], of id: Int) -> Bool {
        guard flight?.id == id else { return false }
        flight?.tasks = tasks
        return true
    }

    /// Takes out a waiter that was cancelled, if it still waits. The refresh goes on: its answer may be the only one that
    /// has the next refresh token.
    mutating func leave(_ id: Int) -> Waiter? { flight?.waiters.removeValue(forKey: id) }

    /// The refresh has ended. Nil when it was overtaken by a log-out or a new credential; its result is then discarded.
    mutating func finish(_ id: Int, _ outcome: Outcome) -> Ending? {
        guard flight?.id == id else { return nil }
        switch outcome {
        case .success(let new): credential = new
        case .failure(let failure):
            if failure.reason == .refreshRefused {
                credential = nil
                lapse = failure
            }
        }
        return endFlight(outcome)
    }

    /// Sets a credential of the app's; whoever waits for a refresh gets it.
    mutating func set(_ new: Credential) -> Ending? {
        credential = new
        lapse = nil
        starts = []
        return endFlight(.success(new))
    }

    /// Withdraws the credential; whoever waits for a refresh fails.
    mutating func logOut() -> Ending? {
        credential = nil
        lapse = nil
        starts = []
        epoch += 1
        return endFlight(.failure(AuthenticationFailure(reason: .loggedOut)))
    }

    private mutating func endFlight(_ outcome: Outcome) -> Ending? {
        guard let flight else { return nil }
        self.flight = nil
        // In the order in which they came.
        let waiters = flight.waiters.sorted { $0.key < $1.key }.map(\.value)
        return Ending(outcome: outcome, waiters: waiters, tasks: flight.tasks)
    }
}
