/// One load that has not ended.
@MainActor
final class APILoad {
    typealias Completion = @MainActor (APILoadResult) -> Void

    let id: RequestID
    let plan: APILoadPlan
    let params: Parameters
    let service: Service
    /// The user the load was made for; an answer for another one is nobody's.
    let user: String?
    let call: APICall
    /// Ends the load when its owner goes.
    let bond: LoadBond?
    /// Those who wait besides the delegate.
    var completions: [Completion]
    /// The session's request, once it was sent.
    var request: DataRequest?
    private(set) var isCancelled = false
    private var endWaiters: [CheckedContinuation<Void, Never>] = []
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
    }

    /// Tells those who wait besides the delegate, once.
    func complete(_ result: APILoadResult) {
        let waiting = completions
        completions = []
        for completion in waiting { completion(result) }
    }

    /// Returns when the load has ended: for the next in a queue.
    func waitForEnd() async {
        guard !hasEnded else { return }
        await withCheckedContinuation { endWaiters.append($0) }
    }

    func signalEnd() {
        hasEnded = true
        endWaiters.forEach { $0.resume() }
        endWaiters = []
    }

    /// Whether the user the load was made for is still the one logged in.
    var belongsToCurrentUser: Bool { service.userIdentifier == user }
}
