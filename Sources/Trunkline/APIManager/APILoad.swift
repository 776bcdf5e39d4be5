/// One load that has not ended.
@MainActor
final class APILoad {
    typealias Completion = @MainActor (APILoadResult) -> Void

    let id: RequestID
    let plan: APILoadPlan
    let params: Parameters
    let service: Service
    /// The user the load was made for; an answer for another one is nobody's.
    private(set) var user: String?
    private(set) var call: APICall
    /// Ends the load when its owner goes.
    let bond: LoadBond?
    /// Those who wait besides the delegate.
    var completions: [Completion]
    /// The session's request, once it was sent.
    var request: DataRequest?
    /// The session's handle of a transfer, once it was sent.
    var transfer: TransferHandle?
    /// Whether the call that made the load has returned, so that what comes now had to wait for something.
    var isDetached = false
    /// Whether an interceptor's hook is being waited for; a cancel ends the load then without it.
    var isInHook = false
    private(set) var isCancelled = false
    private(set) var isSuspended = false
    /// Sends the load that was held before it was sent.
    private var send: (@MainActor () -> Void)?
    /// How far the transfer was when somebody was told last.
    var lastProgress: TransferProgress?
    /// Those who read how far a transfer is; made for the first reader.
    private(set) var progressFeed: Broadcast<TransferProgress>?
    private var tasks: [Task<Void, Never>] = []
    private var endFeed: Broadcast<Void>?
    private var hasEnded = false

    init(
        id: RequestID, plan: APILoadPlan, params: Parameters, service: Service, call: APICall, bond: LoadBond?,
        completions: [Completion]
    ) {
        self.id = id
        self.plan = plan
        self.params = params
        self.service = service
        self.user = service.userIdentifier
        self.call = call
        self.bond = bond
        self.completions = completions
    }

    /// Whatever is on its way for this load is dropped; its end will be `.cancelled`.
    func cancel() {
        isCancelled = true
        request?.cancel()
        for task in tasks { task.cancel() }
    }

    /// Has a task of the load end with it.
    func keep(_ task: Task<Void, Never>) {
        if isCancelled { task.cancel() }
        tasks.append(task)
    }

    /// The request is made anew, for what holds now. Who has logged in meanwhile takes over a load of nobody's.
    func renew(_ call: APICall) {
        self.call = call
        if user == nil { user = service.userIdentifier }
    }

    func suspend() {
        isSuspended = true
        request?.suspend()
    }

    func resume() {
        isSuspended = false
        request?.resume()
        let send = send
        self.send = nil
        send?()
    }

    /// Calls `send` now, or when the load is held no longer.
    func whenResumed(_ send: @escaping @MainActor () -> Void) {
        if isSuspended { self.send = send } else { send() }
    }

    /// How far the transfer is: the last value, then each later one, until the load ends.
    func progressUpdates() -> AsyncStream<TransferProgress> {
        let feed = progressFeed ?? Broadcast(.bufferingNewest(1))
        progressFeed = feed
        return feed.stream(from: lastProgress)
    }

    /// Tells those who wait besides the delegate, once.
    func complete(_ result: APILoadResult) {
        let waiting = completions
        completions = []
        for completion in waiting { completion(result) }
    }

    /// Ends when the load has, or when it is gone with its manager: for the next in a queue, which must not keep it.
    var end: AsyncStream<Void> {
        let feed = endFeed ?? Broadcast(.bufferingNewest(1))
        endFeed = feed
        if hasEnded { feed.finish() }
        return feed.stream()
    }

    func signalEnd() {
        hasEnded = true
        endFeed?.finish()
        progressFeed?.finish()
        tasks = []
        send = nil
    }

    /// Whether the user the load was made for is still the one logged in.
    var belongsToCurrentUser: Bool { service.userIdentifier == user }
}
