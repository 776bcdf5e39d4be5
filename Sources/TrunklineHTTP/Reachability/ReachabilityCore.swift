import Foundation

/// The observers of one monitor, which runs while there are any. Everything happens on one queue, in order.
final class ReachabilityCore: Sendable {
    typealias Handler = @Sendable (NetworkPath) -> Void

    private struct State: Sendable {
        var handlers: [Int: Handler] = [:]
        /// What the running monitor said last; nil while it has said nothing, or none runs.
        var last: NetworkPath?
        /// Counts the runs of the monitor: what an earlier one says is not heard any more.
        var run = 0
    }

    private let state = Protected(State())
    private let lastID = Protected(0)
    private let queue = DispatchQueue(label: "trunkline.reachability")
    private let monitor: any PathMonitor

    init(monitor: any PathMonitor) { self.monitor = monitor }

    var last: NetworkPath? { state.withLock { $0.last } }

    var isRunning: Bool { state.withLock { !$0.handlers.isEmpty } }

    /// The path as the system tells it when asked. Observers hear what it says, too, where it is ahead of the monitor: what
    /// one part of an app has seen is never missing in another's stream.
    func snapshot() -> NetworkPath? {
        let path = monitor.snapshot()
        let run = state.withLock { state in state.last == nil || state.last == path ? nil : state.run }
        if let path, let run {
            queue.async { [self] in
                heard(path, run: run)
                // And what is so by now: the change may have been taken back without another word of the monitor.
                if let now = monitor.snapshot() { heard(now, run: run) }
            }
        }
        return path
    }

    /// Calls the handler on the queue with the path now, as soon as it is known, and with every change.
    func add(_ handler: @escaping Handler) -> Int {
        let id = lastID.withLock { last in
            last += 1
            return last
        }
        // Strongly: whoever observes keeps the core, until it leaves.
        queue.async { self.addNow(id, handler) }
        return id
    }

    /// The handler is not called any more once this has come through the queue.
    func remove(_ id: Int) {
        queue.async { self.removeNow(id) }
    }

    private func addNow(_ id: Int, _ handler: @escaping Handler) {
        let (last, run) = state.withLock { state -> (NetworkPath?, Int?) in
            state.handlers[id] = handler
            guard state.handlers.count == 1 else { return (state.last, nil) }
            state.run += 1
            return (nil, state.run)
        }
        if let last { handler(last) }
        if let run { monitor.start(on: queue) { [weak self] path in self?.heard(path, run: run) } }
    }

    private func removeNow(_ id: Int) {
        let isLast = state.withLock { state in
            guard state.handlers.removeValue(forKey: id) != nil, state.handlers.isEmpty else { return false }
            state.last = nil
            state.run += 1
            return true
        }
        if isLast { monitor.stop() }
    }

    private func heard(_ path: NetworkPath, run: Int) {
        let handlers = state.withLock { state -> [Handler] in
            guard state.run == run, state.last != path else { return [] }
            state.last = path
            return state.handlers.sorted { $0.key < $1.key }.map(\.value)
        }
        for handler in handlers { handler(path) }
    }
}
