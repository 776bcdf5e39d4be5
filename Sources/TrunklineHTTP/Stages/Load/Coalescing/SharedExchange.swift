/// One exchange and the requests that wait for it. As their exchange's timer it passes rests on to each one's own.
final class SharedExchange: RequestTimer {
    struct Subscription: Sendable {
        let id: Int
        let waiter: Waiter<HTTPResponse>
        let progress: ProgressObserver?
        let timer: (any RequestTimer)?

        init(id: Int, of exchange: Exchange) {
            self.id = id
            waiter = Waiter()
            progress = exchange.progress
            timer = exchange.timer
        }
    }

    private struct State: Sendable {
        var subscriptions: [Int: Subscription] = [:]
        var lastID = 0
        /// How many rests of the exchange's time are under way.
        var pauses = 0
        /// Nobody can join any more.
        var isOver = false
        var task: Task<Void, Never>?
    }

    private let state = Protected(State())
    /// The request that began it.
    let id: RequestID

    /// An exchange with its first request.
    static func began(by exchange: Exchange) -> (SharedExchange, Subscription) {
        let shared = SharedExchange(id: exchange.id)
        let subscription = Subscription(id: 0, of: exchange)
        shared.state.withLock { $0.subscriptions[0] = subscription }
        return (shared, subscription)
    }

    private init(id: RequestID) { self.id = id }

    var subscriberCount: Int { state.withLock { $0.subscriptions.count } }

    /// Takes one more request in; nil when it is too late.
    func join(_ exchange: Exchange) -> Subscription? {
        state.withLock { state in
            guard !state.isOver else { return nil }
            state.lastID += 1
            let subscription = Subscription(id: state.lastID, of: exchange)
            state.subscriptions[state.lastID] = subscription
            if state.pauses > 0 { subscription.timer?.pause() }
            return subscription
        }
    }

    /// The task that runs the exchange; cancelled at once where everybody has left meanwhile.
    func begin(_ task: Task<Void, Never>) {
        let isOver = state.withLock { state in
            if !state.isOver { state.task = task }
            return state.isOver
        }
        if isOver { task.cancel() }
    }

    /// A request that was cancelled leaves. True when it was the last, and the exchange was cancelled.
    func leave(_ id: Int) -> Bool {
        let (isLast, task, subscription) = state.withLock { state in
            let subscription = state.subscriptions.removeValue(forKey: id)
            let isLast = subscription != nil && state.subscriptions.isEmpty && !state.isOver
            if isLast { state.isOver = true }
            if state.pauses > 0 { subscription?.timer?.resume() }
            defer { if isLast { state.task = nil } }
            return (isLast, isLast ? state.task : nil, subscription)
        }
        task?.cancel()
        _ = subscription  // Released outside the lock.
        return isLast
    }

    /// Gives everybody the outcome.
    func end(_ outcome: Result<HTTPResponse, any Error>) {
        let subscriptions = state.withLock { state in
            state.isOver = true
            state.task = nil
            defer { state.subscriptions = [:] }
            return state.subscriptions.values.sorted { $0.id < $1.id }
        }
        for subscription in subscriptions { subscription.waiter.settle(outcome) }
    }

    /// Tells everybody who is in how far the bodies are.
    var progress: ProgressObserver {
        ProgressObserver(
            sent: { [weak self] progress in self?.observers.forEach { $0.sent?(progress) } },
            received: { [weak self] progress in self?.observers.forEach { $0.received?(progress) } })
    }

    private var observers: [ProgressObserver] {
        state.withLock { state in state.subscriptions.values.compactMap(\.progress) }
    }

    // MARK: - Everybody's timer

    // The timers are told under the lock, so that somebody who joins or leaves meanwhile is paused as often as resumed.

    func pause() {
        state.withLock { state in
            state.pauses += 1
            guard state.pauses == 1 else { return }
            for subscription in state.subscriptions.values { subscription.timer?.pause() }
        }
    }

    func resume() {
        state.withLock { state in
            guard state.pauses > 0 else { return }
            state.pauses -= 1
            guard state.pauses == 0 else { return }
            for subscription in state.subscriptions.values { subscription.timer?.resume() }
        }
    }
}
