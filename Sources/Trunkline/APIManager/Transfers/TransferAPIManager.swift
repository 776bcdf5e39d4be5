import Observation

/// What ``UploadAPIManager`` and ``DownloadAPIManager`` have in common: progress, and loads that can be held.
///
/// Their loads go through every step of ``BaseAPIManager``, in the same order, with one callback each. The manager's cache
/// takes no part in them.
@MainActor
open class TransferAPIManager: BaseAPIManager {
    /// Hears how far the loads are.
    public weak var progressDelegate: (any APIManagerProgressDelegate)?

    /// The shortest time between two values of a load's progress but the last; by default 50 ms. Zero for every one the main
    /// actor can keep up with. Counts for loads sent from then on.
    public var progressInterval: Duration = .milliseconds(50)

    private var shownProgress: (id: RequestID, value: TransferProgress?)? {
        willSet { observation.willSet(self, keyPath: \.shownProgress) }
        didSet { observation.didSet(self, keyPath: \.shownProgress) }
    }

    /// How far the newest load that was sent is; it stays when the load has ended. Nil before the first value. Observable.
    public var progress: TransferProgress? {
        observation.access(self, keyPath: \.shownProgress)
        return shownProgress?.value
    }

    /// How far the newest load in flight is: the value so far, then each later one, or the newest of several where the reader
    /// is slow. It ends with the load, after its last value; at once when there is no load. Every use is a stream of its own.
    ///
    /// ```swift
    /// cover.loadData()
    /// for await progress in cover.progressUpdates { bar.value = progress.fraction ?? 0 }
    /// ```
    public var progressUpdates: AsyncStream<TransferProgress> {
        guard let load = table.all.last(where: { !$0.isCancelled }) else { return AsyncStream { $0.finish() } }
        return load.progressUpdates()
    }

    // MARK: - Holding

    /// Holds a load in the middle of whatever it does, until ``resumeRequest(_:)``: nothing more is sent or received, and no
    /// time limit counts; see `DataRequest.suspend()`. One that was not sent yet is held when it is. A cancel ends it still.
    public func suspendRequest(_ id: RequestID) { table[id]?.suspend() }

    /// Lets a load that was held go on.
    public func resumeRequest(_ id: RequestID) { table[id]?.resume() }

    /// Holds every load in flight; see ``suspendRequest(_:)``.
    public func suspendAllRequests() { for load in table.all { load.suspend() } }

    /// Lets every load that was held go on.
    public func resumeAllRequests() { for load in table.all { load.resume() } }

    /// Whether a load in flight is held.
    public func isSuspended(_ id: RequestID) -> Bool { table[id]?.isSuspended ?? false }

    /// Forgets the progress too.
    open override func forgetResults() {
        super.forgetResults()
        shownProgress = nil
    }

    // MARK: - For the package's own subclasses

    /// Tells the delegate in the transfer's own direction.
    func tell(_ delegate: any APIManagerProgressDelegate, _ progress: TransferProgress, of load: APILoad) {}

    /// The last value of a load that has ended well, where nothing was reported: an answer from somewhere else.
    func wholeProgress(of load: APILoad, _ response: APIResponse) -> TransferProgress {
        TransferProgress(completed: 0, total: 0)
    }

    /// Passes the progress of a load on until it ends.
    func follow(_ load: APILoad, _ handle: TransferHandle) {
        load.transfer = handle
        if shownProgress.map({ $0.id <= load.id }) ?? true { shownProgress = (load.id, nil) }
        let (values, interval) = (handle.progress, progressInterval)
        load.keep(
            Task { [weak self] in
                for await progress in values {
                    guard self?.show(progress, of: load) ?? false else { return }
                    // What comes meanwhile is dropped but for the newest value.
                    if interval > .zero { try? await Task.sleep(for: interval) }
                }
            })
    }

    override func willPerformSuccess(_ load: APILoad, _ response: APIResponse) {
        var last = load.transfer?.latestProgress ?? wholeProgress(of: load, response)
        last.total = last.completed
        if load.lastProgress != last { pass(last, of: load) }
    }

    /// Shows a value unless the load's end is known.
    private func show(_ progress: TransferProgress, of load: APILoad) -> Bool {
        guard table.contains(load), !load.isCancelled, load.belongsToCurrentUser else { return false }
        if load.lastProgress != progress { pass(progress, of: load) }
        return true
    }

    private func pass(_ progress: TransferProgress, of load: APILoad) {
        load.lastProgress = progress
        if shownProgress.map({ $0.id <= load.id }) ?? true { shownProgress = (load.id, progress) }
        load.progressFeed?.send(progress)
        if let progressDelegate { tell(progressDelegate, progress, of: load) }
    }
}
