/// The life of one request as a state machine: events go in, what has to be done comes out, and nothing is done here.
/// Its owner holds the lock, so every transition is atomic and exactly one of them ends the request.
///
///     initialized ──resume──▶ running ──end──▶ ended ──settle──▶ settled
///          │                   ▲  │ suspend      ▲
///          │                   └─suspended───────┤
///          └───────────────cancel───────────────┘
///
/// A result is *ended* when it is known and *settled* when the first handler takes it. Between the two a cancel still
/// wins where a handler is waiting, so a caller that cancels on its callback queue never sees a success afterwards; once
/// settled, every handler, however late, gets the same result.
struct RequestLifecycle: Sendable {
    typealias Outcome = Result<HTTPResponse, HTTPError>
    /// Takes delivery: called once, may hop to a queue, then asks for the settled outcome.
    typealias Handler = @Sendable () -> Void

    private enum Phase: Sendable {
        case initialized
        case running
        case suspended
        case ended(Outcome)
        case settled(Outcome)
    }

    enum Event: Sendable {
        case resume
        case suspend
        /// The work, a limit or the session ended the request.
        case end(Outcome)
        /// The caller ended it.
        case cancel
        case attach(Handler)
    }

    /// What the owner does after the transition, outside the lock, in this order.
    struct Actions: Sendable {
        var start = false
        var changesHold = false
        var stopWork = false
        var ended = false
        var deliver: [Handler] = []
    }

    private var phase = Phase.initialized
    private var handlers: [Handler] = []
    /// Whether anybody has asked for the outcome; until then a cancel after the end has nobody to spare.
    private var isAwaited = false

    var state: RequestState {
        switch phase {
        case .initialized: .initialized
        case .running: .running
        case .suspended: .suspended
        case .ended, .settled: .finished
        }
    }

    /// The outcome so far, not final before it is settled; nil before the end.
    var outcome: Outcome? {
        switch phase {
        case .initialized, .running, .suspended: nil
        case .ended(let outcome), .settled(let outcome): outcome
        }
    }

    mutating func handle(_ event: Event) -> Actions {
        var actions = Actions()
        switch (event, phase) {
        case (.resume, .initialized):
            phase = .running
            actions.start = true
        case (.resume, .suspended):
            phase = .running
            actions.changesHold = true
        case (.resume, _):
            break

        case (.suspend, .running):
            phase = .suspended
            actions.changesHold = true
        case (.suspend, _):
            break

        case (.end(let outcome), .initialized), (.end(let outcome), .running), (.end(let outcome), .suspended):
            actions.stopWork = outcome.isFailure
            actions.ended = true
            actions.deliver = handlers
            phase = .ended(outcome)
            handlers = []
        case (.end, _):
            break

        case (.cancel, .initialized), (.cancel, .running), (.cancel, .suspended):
            return handle(.end(.failure(.cancelled)))
        case (.cancel, .ended) where isAwaited:
            phase = .ended(.failure(.cancelled))
        case (.cancel, _):
            break

        case (.attach(let handler), .initialized), (.attach(let handler), .running),
            (.attach(let handler), .suspended):
            isAwaited = true
            handlers.append(handler)
        case (.attach(let handler), _):
            isAwaited = true
            actions.deliver = [handler]
        }
        return actions
    }

    /// The outcome, final from now on; nil only before the end, which no handler can see.
    mutating func settle() -> Outcome? {
        switch phase {
        case .ended(let outcome), .settled(let outcome):
            phase = .settled(outcome)
            return outcome
        case .initialized, .running, .suspended:
            return nil
        }
    }
}

extension Result {
    fileprivate var isFailure: Bool {
        if case .failure = self { true } else { false }
    }
}
