import Foundation
import Testing
import TrunklineTesting

@testable import TrunklineHTTP

/// A monitor that the test moves.
private final class StubMonitor: PathMonitor {
    private struct State: Sendable {
        var path: NetworkPath
        var onPath: (@Sendable (NetworkPath) -> Void)?
        var queue: DispatchQueue?
        var starts = 0
        var stops = 0
    }

    private let state: Protected<State>
    private let answers: Bool

    /// - Parameter answers: whether it can be asked without running.
    init(_ status: NetworkPath.Status = .satisfied, answers: Bool = true) {
        state = Protected(State(path: NetworkPath(status: status)))
        self.answers = answers
    }

    var starts: Int { state.current.starts }
    var stops: Int { state.current.stops }

    func snapshot() -> NetworkPath? { answers ? state.current.path : nil }

    func start(on queue: DispatchQueue, _ onPath: @escaping @Sendable (NetworkPath) -> Void) {
        state.withLock { state in
            state.onPath = onPath
            state.queue = queue
            state.starts += 1
        }
        onPath(state.current.path)
    }

    func stop() {
        state.withLock { state in
            // What it says after its end, from a callback under way, must not be heard: `onPath` stays.
            state.stops += 1
        }
    }

    /// Changes without saying so.
    func change(to status: NetworkPath.Status) { state.withLock { $0.path = NetworkPath(status: status) } }

    /// Says it as the system does, on the queue; on return everybody has been told.
    func say(_ status: NetworkPath.Status) {
        let (queue, onPath) = state.withLock { state in
            state.path = NetworkPath(status: status)
            return (state.queue, state.onPath)
        }
        queue?.sync { onPath?(NetworkPath(status: status)) }
    }
}

@Suite struct NetworkReachabilityTests {
    @Test func `the stream begins with the current path and brings every change`() async {
        let monitor = StubMonitor(.unsatisfied)
        let reachability = NetworkReachability(monitor: monitor)
        var paths = reachability.paths.makeAsyncIterator()
        #expect(await paths.next()?.status == .unsatisfied)
        monitor.say(.satisfied)
        #expect(await paths.next()?.status == .satisfied)
        // The same again is no change.
        monitor.say(.satisfied)
        monitor.say(.unknown)
        #expect(await paths.next()?.status == .unknown)
    }

    @Test func `a slow reader gets the newest path only`() async {
        let monitor = StubMonitor(.unsatisfied)
        let reachability = NetworkReachability(monitor: monitor)
        var paths = reachability.paths.makeAsyncIterator()
        #expect(await paths.next() != nil)
        for status in [NetworkPath.Status.satisfied, .unsatisfied, .unknown, .requiresConnection] {
            monitor.say(status)
        }
        #expect(await paths.next()?.status == .requiresConnection)
    }

    @Test func `it begins with the first observer, ends with the last, and begins again`() async {
        let monitor = StubMonitor()
        let reachability = NetworkReachability(monitor: monitor)
        #expect(reachability.path.isSatisfied)
        #expect(monitor.starts == 0 && !reachability.isRunning)
        for round in 1...3 {
            let (first, second) = (Collector<NetworkPath>(), Collector<NetworkPath>())
            let stream = Task { for await path in reachability.paths { first.add(path) } }
            let observation = reachability.observe(on: .global()) { second.add($0) }
            // Both have to be in before one goes, or the other's coming would be a new beginning.
            #expect(await eventually { first.count == 1 && second.count == 1 })
            #expect(monitor.starts == round && reachability.isRunning)
            stream.cancel()
            await stream.value
            #expect(monitor.stops == round - 1)
            observation.cancel()
            #expect(await eventually { monitor.stops == round && !reachability.isRunning })
        }
    }

    @Test func `what the system says after the end is not heard by the next observer`() async {
        let monitor = StubMonitor(.unsatisfied)
        let reachability = NetworkReachability(monitor: monitor)
        let heard = Collector<NetworkPath.Status>()
        let observation = reachability.observe(on: .global()) { heard.add($0.status) }
        #expect(await eventually { heard.count == 1 })
        observation.cancel()
        #expect(await eventually { monitor.stops == 1 })
        monitor.say(.satisfied)
        #expect(heard.all == [.unsatisfied])
    }

    @Test func `an observer that was cancelled on its queue hears nothing more`() async {
        let monitor = StubMonitor(.unsatisfied)
        let reachability = NetworkReachability(monitor: monitor)
        let queue = DispatchQueue(label: "test")
        let heard = Collector<NetworkPath.Status>()
        let observation = reachability.observe(on: queue) { heard.add($0.status) }
        #expect(await eventually { heard.count == 1 })
        queue.sync {
            // Told, and on its way to the queue.
            monitor.say(.satisfied)
            observation.cancel()
        }
        queue.sync {}
        #expect(heard.count == 1)
    }

    @Test func `the observation's release ends it`() async {
        let monitor = StubMonitor()
        let reachability = NetworkReachability(monitor: monitor)
        var observation: ReachabilityObservation? = reachability.observe(on: .global()) { _ in }
        #expect(await eventually { monitor.starts == 1 })
        #expect(observation != nil)
        observation = nil
        #expect(await eventually { monitor.stops == 1 })
    }

    @Test func `an object nobody keeps lives on for its observers, and no longer`() async {
        let monitor = StubMonitor(.unsatisfied)
        weak var core: NetworkReachability?
        let task: Task<NetworkPath.Status?, Never>
        do {
            let reachability = NetworkReachability(monitor: monitor)
            core = reachability
            let paths = reachability.paths
            task = Task {
                for await path in paths where path.isSatisfied { return path.status }
                return nil
            }
        }
        #expect(core == nil)
        #expect(await eventually { monitor.starts == 1 })
        monitor.say(.satisfied)
        #expect(await task.value == .satisfied)
        #expect(await eventually { monitor.stops == 1 })
    }

    @Test func `where only a running monitor knows, asking makes it run until the object goes`() async {
        let monitor = StubMonitor(answers: false)
        var reachability: NetworkReachability? = NetworkReachability(monitor: monitor)
        #expect(reachability?.path.status == .unknown || reachability?.path.status == .satisfied)
        #expect(await eventually { reachability?.path.status == .satisfied })
        #expect(monitor.starts == 1)
        monitor.say(.unsatisfied)
        #expect(reachability?.path.status == .unsatisfied)
        reachability = nil
        #expect(await eventually { monitor.stops == 1 })
    }

    @Test func `the notification is posted for changes, and only while asked for`() async {
        let monitor = StubMonitor(.unsatisfied)
        let reachability = NetworkReachability(monitor: monitor)
        let heard = Collector<NetworkPath.Status?>()
        let token = NotificationCenter.default.addObserver(
            forName: NetworkReachability.didChangeNotification, object: reachability, queue: nil
        ) { notification in
            heard.add((notification.userInfo?[NetworkReachability.pathKey] as? NetworkPath)?.status)
        }
        defer { NotificationCenter.default.removeObserver(token) }
        reachability.startNotifying()
        reachability.startNotifying()
        #expect(await eventually { monitor.starts == 1 })
        monitor.say(.satisfied)
        #expect(heard.all == [.satisfied])
        reachability.stopNotifying()
        #expect(await eventually { monitor.stops == 1 })
        monitor.say(.unsatisfied)
        #expect(heard.count == 1)
    }

    @Test func `what was asked for reaches the observers, too`() async {
        let monitor = StubMonitor(.satisfied)
        let reachability = NetworkReachability(monitor: monitor)
        let heard = Collector<NetworkPath.Status>()
        let observation = reachability.observe(on: .global()) { heard.add($0.status) }
        #expect(await eventually { heard.count == 1 })
        // The system has changed, and the monitor has not said so yet.
        monitor.change(to: .unsatisfied)
        #expect(reachability.path.status == .unsatisfied)
        #expect(await eventually { heard.all == [.satisfied, .unsatisfied] })
        observation.cancel()
    }

    @Test func `observers come and go from everywhere`() async {
        for _ in 0..<(Sanitizer.isThread ? 5 : 30) {
            let monitor = StubMonitor(.unsatisfied)
            let reachability = NetworkReachability(monitor: monitor)
            await withTaskGroup(of: Void.self) { group in
                for index in 0..<20 {
                    group.addTask {
                        if index % 2 == 0 {
                            for await _ in reachability.paths { break }
                        } else {
                            reachability.observe(on: .global()) { _ in }.cancel()
                        }
                    }
                }
            }
            #expect(await eventually { !reachability.isRunning && monitor.starts == monitor.stops })
        }
    }
}
