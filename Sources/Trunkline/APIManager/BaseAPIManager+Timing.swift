/// Loads that wait for a pause, and loads that come again and again.
extension BaseAPIManager {
    /// Loads once there was no such call for `delay`: for a search field that asks at every letter. Each call puts the
    /// load off anew; parameters are asked for when it is made. ``cancelAllRequests()``, the owner's end and the
    /// manager's release call it off, and then nothing follows.
    ///
    /// - Parameters:
    ///   - delay: how long to wait.
    ///   - clock: what time is told by.
    public func loadDebounced(after delay: Duration, clock: any Clock<Duration> = ContinuousClock()) {
        let task = Task { [weak self] in
            do {
                try await clock.sleep(for: delay)
            } catch {
                return
            }
            guard !Task.isCancelled else { return }
            _ = self?.loadData()
        }
        inFlight.replaceDebounce(task)
    }

    /// Loads again and again, each time somebody asks for the next answer, the first time at once.
    ///
    /// ```swift
    /// for try await answer in order.poll(every: .seconds(5), until: { $0.json?["done"] == true }) { show(answer) }
    /// ```
    ///
    /// The pause runs from the end of one load to the start of the next. The sequence keeps the manager only while it
    /// loads; it ends when the manager is released, at the latest after the pause it is in, and fails with `.cancelled`
    /// when the manager's owner is gone. It is for one reader.
    ///
    /// - Parameters:
    ///   - interval: the pause between two loads.
    ///   - tolerated: how many failures in a row are waited out; by default none. A cancelled load always ends it.
    ///   - clock: what time is told by.
    ///   - isLast: whether an answer is the last; it is still given.
    /// - Returns: the answers; fails with the ``APIError`` of a load, or when its task is cancelled.
    public func poll(
        every interval: Duration, toleratingFailures tolerated: Int = 0,
        clock: any Clock<Duration> = ContinuousClock(),
        until isLast: @escaping @MainActor (APIResponse) -> Bool = { _ in false }
    ) -> AsyncThrowingStream<APIResponse, any Error> {
        let polling = Polling(self, interval: interval, tolerated: tolerated, clock: clock, isLast: isLast)
        return AsyncThrowingStream { try await polling.next() }
    }
}

@MainActor
private final class Polling {
    private weak var manager: BaseAPIManager?
    private let interval: Duration
    private let tolerated: Int
    private let clock: any Clock<Duration>
    private let isLast: @MainActor (APIResponse) -> Bool
    private var hasLoaded = false
    private var isOver = false

    init(
        _ manager: BaseAPIManager, interval: Duration, tolerated: Int, clock: any Clock<Duration>,
        isLast: @escaping @MainActor (APIResponse) -> Bool
    ) {
        self.manager = manager
        self.interval = interval
        self.tolerated = tolerated
        self.clock = clock
        self.isLast = isLast
    }

    func next() async throws -> APIResponse? {
        var failures = 0
        while !isOver {
            if hasLoaded { try await clock.sleep(for: interval) }
            hasLoaded = true
            guard let outcome = await loadOnce() else { break }
            switch outcome {
            case .success(let response):
                isOver = isLast(response)
                return response
            case .failure(let error):
                failures += 1
                guard failures <= tolerated, error.type != .cancelled else {
                    isOver = true
                    throw error
                }
            }
        }
        return nil
    }

    /// One load; nil when there is no manager any more.
    private func loadOnce() async -> Result<APIResponse, APIError>? {
        guard let manager else { return nil }
        return await manager.awaitResult(manager.awaitedPlan()).outcome
    }
}
