import Foundation

/// Tells the monitors what happens to one request, in order, and tells the end once.
///
/// Whoever reports first delivers; what is reported meanwhile, by other threads or by a monitor that calls back, is
/// appended and delivered by the same thread. No monitor is called with the lock held.
package final class EventReporter: Sendable {
    /// Says how what is open ends when the request ends first.
    typealias Closing = @Sendable (HTTPError) -> [Event.Kind]

    private struct State: Sendable {
        var queue: [Event] = []
        var isDelivering = false
        var isOver = false
        var lastNumber = 0
        var lastToken = 0
        var lastAttempt = 0
        var open: [(token: Int, closing: Closing)] = []
    }

    package let id: RequestID
    let details: EventDetails
    /// The trace of the request, where requests are traced.
    let trace: RequestTrace?
    private let monitors: [any EventMonitor]
    private let state = Protected(State())

    init(id: RequestID, observation: EventObservation, request: HTTPRequest?) {
        self.id = id
        monitors = observation.monitors
        details = observation.details
        trace = observation.tracing.map { RequestTrace($0, request: request) }
    }

    /// Whether anybody hears.
    var isHeard: Bool { !monitors.isEmpty }

    /// Tells that something happened; without effect after the end.
    package func send(_ kind: Event.Kind) {
        guard isHeard else { return }
        deliver { state in self.append([kind], to: &state) }
    }

    /// Tells that something started that will end.
    ///
    /// - Parameter closing: how it ends when the request ends before it.
    /// - Returns: what ``end(_:_:)`` ends it by.
    func begin(_ kind: Event.Kind?, closing: @escaping Closing) -> Int {
        guard isHeard else { return 0 }
        var token = 0
        deliver { state in
            state.lastToken += 1
            token = state.lastToken
            guard !state.isOver else { return }
            state.open.append((token, closing))
            self.append(kind.map { [$0] } ?? [], to: &state)
        }
        return token
    }

    /// Tells that it ended; without effect when it has ended already.
    func end(_ token: Int, _ kinds: [Event.Kind]) {
        guard isHeard else { return }
        deliver { state in
            guard let index = state.open.lastIndex(where: { $0.token == token }) else { return }
            state.open.remove(at: index)
            self.append(kinds, to: &state)
        }
    }

    /// The number of the next attempt.
    func nextAttempt() -> Int {
        state.withLock { state in
            state.lastAttempt += 1
            return state.lastAttempt
        }
    }

    /// Tells the end, and before it that of everything open; the first one counts.
    func complete(_ outcome: Event.Outcome) {
        guard isHeard else { return }
        let error: HTTPError = if case .failure(let error) = outcome { error } else { .cancelled }
        let span = trace?.span(outcome)
        deliver { state in
            guard !state.isOver else { return }
            var kinds = state.open.reversed().flatMap { $0.closing(error) }
            state.open = []
            if let span { kinds.append(.spanEnded(span)) }
            kinds.append(.completed(outcome))
            self.append(kinds, to: &state)
            state.isOver = true
        }
    }

    private func append(_ kinds: [Event.Kind], to state: inout State) {
        guard !state.isOver, !kinds.isEmpty else { return }
        let (time, date) = (ContinuousClock.now, Date())
        for kind in kinds {
            state.lastNumber += 1
            state.queue.append(Event(id: id, number: state.lastNumber, time: time, date: date, kind: kind))
        }
    }

    private func deliver(_ report: (inout State) -> Void) {
        var batch: [Event] = state.withLock { state in
            report(&state)
            guard !state.isDelivering, !state.queue.isEmpty else { return [] }
            state.isDelivering = true
            defer { state.queue = [] }
            return state.queue
        }
        while !batch.isEmpty {
            for event in batch {
                for monitor in monitors { monitor.receive(event) }
            }
            batch = state.withLock { state in
                if state.queue.isEmpty { state.isDelivering = false }
                defer { state.queue = [] }
                return state.queue
            }
        }
    }
}
