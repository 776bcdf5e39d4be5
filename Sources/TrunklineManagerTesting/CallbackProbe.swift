import Trunkline

/// A delegate for tests: keeps what it hears, and can be awaited. One probe may serve several managers.
///
/// ```swift
/// let probe = CallbackProbe()
/// manager.delegate = probe
/// manager.loadData()
/// let callback = try await probe.next()
/// ```
///
/// A manager holds its delegate weakly: keep the probe.
@MainActor
public final class CallbackProbe: APIManagerCallbackDelegate {
    /// Everything that was heard, in order.
    public private(set) var callbacks: [ManagerCallback] = []
    /// Hears everything after the probe.
    public weak var forwardsTo: (any APIManagerCallbackDelegate)?
    private var taken = 0
    private var lastID = 0
    private var waiters: [(id: Int, continuation: CheckedContinuation<ManagerCallback?, Never>)] = []

    /// Makes a probe.
    ///
    /// - Parameter forwardsTo: who hears everything after it, held weakly; nil for nobody.
    public init(forwardsTo: (any APIManagerCallbackDelegate)? = nil) { self.forwardsTo = forwardsTo }

    public func managerCallAPISuccess(_ manager: BaseAPIManager) {
        hear(ManagerCallback(manager, isSuccess: true))
        forwardsTo?.managerCallAPISuccess(manager)
    }

    public func managerCallAPIFailed(_ manager: BaseAPIManager) {
        hear(ManagerCallback(manager, isSuccess: false))
        forwardsTo?.managerCallAPIFailed(manager)
    }

    /// The next callback that was not taken yet: one that was heard already, or the next to come.
    ///
    /// - Parameters:
    ///   - limit: how long it is waited for; by default 30 s.
    ///   - clock: what the limit runs on.
    ///   - fileID: where a failure is reported.
    ///   - line: where a failure is reported.
    /// - Throws: `TestFailure` when the limit runs out, `CancellationError` when the task is cancelled.
    public func next(
        within limit: Duration = .seconds(30), clock: any Clock<Duration> = ContinuousClock(),
        fileID: String = #fileID, line: Int = #line
    ) async throws -> ManagerCallback {
        if taken < callbacks.count {
            taken += 1
            return callbacks[taken - 1]
        }
        lastID += 1
        let id = lastID
        let timer = Task { [weak self] in
            try await clock.sleep(for: limit)
            self?.giveUp(id)
        }
        defer { timer.cancel() }
        let callback: ManagerCallback? = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<ManagerCallback?, Never>) in
                if Task.isCancelled {
                    continuation.resume(returning: nil)
                } else {
                    waiters.append((id, continuation))
                }
            }
        } onCancel: {
            Task { @MainActor in self.giveUp(id) }
        }
        if let callback { return callback }
        try Task.checkCancellation()
        throw TestFailure(
            "No callback came within \(limit); \(callbacks.count) came before.", fileID: fileID, line: line)
    }

    private func hear(_ callback: ManagerCallback) {
        callbacks.append(callback)
        guard !waiters.isEmpty else { return }
        taken += 1
        waiters.removeFirst().continuation.resume(returning: callback)
    }

    private func giveUp(_ id: Int) {
        guard let index = waiters.firstIndex(where: { $0.id == id }) else { return }
        waiters.remove(at: index).continuation.resume(returning: nil)
    }
}
