import Foundation

/// Lets requests wait for a network instead of failing.
///
/// Inside the retry stage: a wait is no attempt and uses none up. Outside the limits: who waits for the network occupies no
/// place that requests to the device itself could use, takes no token, and tells the circuit breaker nothing.
struct ConnectivityStage: Interceptor {
    let defaultPolicy: ConnectivityPolicy
    let reachability: any ReachabilityProviding
    let timeline: Timeline
    private let watch = PathWatch()

    init(defaultPolicy: ConnectivityPolicy, reachability: any ReachabilityProviding, timeline: Timeline) {
        self.defaultPolicy = defaultPolicy
        self.reachability = reachability
        self.timeline = timeline
    }

    func intercept(_ exchange: Exchange, next: Next) async throws -> HTTPResponse {
        guard case .wait(let longest) = exchange.request.options.connectivity ?? defaultPolicy,
            !LocalHost.contains(exchange.request.url)
        else { return try await next(exchange) }
        var left = min(longest, Timeline.longest)
        var mustWait = watch.path(of: reachability).status == .unsatisfied
        while true {
            if mustWait {
                left = try await exchange.events.waiting(for: .connectivity) { try await wait(left, exchange.timer) }
            }
            do {
                return try await next(exchange)
            } catch {
                guard Self.mayLackNetwork(error), exchange.request.body?.isReplayable != false, !Task.isCancelled,
                    reachability.path.status == .unsatisfied
                else { throw error }
                mustWait = true
            }
        }
    }

    /// Failures before anything reached the server.
    static func mayLackNetwork(_ error: any Error) -> Bool {
        switch error as? HTTPError {
        case .offline, .nameResolution, .connectionFailed: true
        default: false
        }
    }

    /// Waits until there is a network and returns what is left of the time.
    private func wait(_ limit: Duration, _ timer: (any RequestTimer)?) async throws -> Duration {
        guard limit > .zero else { throw HTTPError.offline }
        timer?.pause()
        defer { timer?.resume() }
        let start = timeline.now()
        let paths = reachability.paths
        let hasNetwork = await withTaskGroup(of: Bool.self) { group in
            group.addTask { [reachability] in
                // The stream may begin with what was heard before the link went.
                for await path in paths where path.status != .unsatisfied {
                    if reachability.path.status != .unsatisfied { return true }
                }
                return false
            }
            group.addTask { [timeline] in
                try? await timeline.sleep(for: limit)
                return false
            }
            defer { group.cancelAll() }
            return await group.next() ?? false
        }
        if Task.isCancelled { throw HTTPError.cancelled }
        guard hasNetwork else { throw HTTPError.offline }
        return limit - (timeline.now() - start)
    }
}

/// The path as it was heard last: asking the system for every request would cost more than the request.
private final class PathWatch: Sendable {
    private let last = Protected<NetworkPath?>(nil)
    private let listener = Protected<Task<Void, Never>?>(nil)

    deinit { listener.current?.cancel() }

    /// Begins to listen with the first question, until it is released.
    func path(of reachability: any ReachabilityProviding) -> NetworkPath {
        listener.withLock { [last] listener in
            guard listener == nil else { return }
            let paths = reachability.paths
            listener = Task.detached { for await path in paths { last.withLock { $0 = path } } }
        }
        return last.current ?? reachability.path
    }
}
