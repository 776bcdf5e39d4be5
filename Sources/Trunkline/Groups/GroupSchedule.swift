/// Which member of a group starts when, and what a member's end means for the others: a value, without tasks or time.
///
/// Members are numbered. The dependencies name members of the same group and have no circle; ``GraphOrder`` sees to it.
struct GroupSchedule: Sendable {
    /// What ends the whole early.
    enum Stop: Hashable, Sendable {
        case never
        case atFailure
        case atSuccess
    }

    /// What has become of a member.
    enum Fate: Hashable, Sendable {
        case waiting
        case running
        case succeeded
        case failed
        /// It was not started, since this member failed.
        case skipped(cause: Int)
        /// It was not started, since the whole ended before.
        case stopped
    }

    /// What is to be done now.
    struct Actions: Hashable, Sendable {
        var start: [Int] = []
        /// Cancel those that run.
        var stopsRunning = false
    }

    private(set) var fates: [Fate]
    private(set) var isStopped = false
    private var unmet: [Int]
    private var dependants: [[Int]]
    private var ready: [Int]
    private var running = 0
    private let limit: Int
    private let stop: Stop

    init(dependencies: [[Int]], limit: Int? = nil, stop: Stop = .never) {
        fates = Array(repeating: .waiting, count: dependencies.count)
        unmet = dependencies.map(\.count)
        dependants = Array(repeating: [], count: dependencies.count)
        for (member, needed) in dependencies.enumerated() {
            for dependency in needed { dependants[dependency].append(member) }
        }
        ready = dependencies.indices.filter { dependencies[$0].isEmpty }
        // A limit below one would never start anything.
        self.limit = max(1, limit ?? .max)
        self.stop = stop
    }

    /// The members that have ended, one way or another.
    var completed: Int { fates.count { $0 != .waiting && $0 != .running } }

    mutating func begin() -> Actions { Actions(start: startReady()) }

    /// A member has ended.
    mutating func finish(_ member: Int, succeeded: Bool) -> Actions {
        guard fates[member] == .running else { return Actions() }
        running -= 1
        fates[member] = succeeded ? .succeeded : .failed
        if isStopped { return Actions() }
        if stop == (succeeded ? .atSuccess : .atFailure) { return stopAll() }
        if succeeded {
            for dependant in dependants[member] {
                unmet[dependant] -= 1
                if unmet[dependant] == 0, fates[dependant] == .waiting { ready.append(dependant) }
            }
        } else {
            skipDependants(of: member)
        }
        return Actions(start: startReady())
    }

    /// Starts nothing more.
    mutating func stopAll() -> Actions {
        guard !isStopped else { return Actions() }
        isStopped = true
        ready = []
        for member in fates.indices where fates[member] == .waiting { fates[member] = .stopped }
        return Actions(stopsRunning: running > 0)
    }

    private mutating func startReady() -> [Int] {
        let count = min(limit - running, ready.count)
        guard count > 0 else { return [] }
        let started = Array(ready.prefix(count))
        ready.removeFirst(count)
        running += count
        for member in started { fates[member] = .running }
        return started
    }

    private mutating func skipDependants(of cause: Int) {
        var open = dependants[cause]
        while let member = open.popLast() {
            guard fates[member] == .waiting else { continue }
            fates[member] = .skipped(cause: cause)
            open += dependants[member]
        }
    }
}
