/// Who may go and who waits, as a value: no clock, no task, no lock.
///
/// Ageing needs no timer. A request that came at `t` with priority `p` ranks as one of the lowest priority that came at
/// `t - p × ageing`; since all waiting requests age at the same pace, that order never changes. Every operation is
/// O(log n).
struct LimitsQueue<Host: Hashable & Sendable>: Sendable {
    /// Identifies one waiting request.
    typealias Ticket = UInt64

    enum Admission: Equatable, Sendable {
        /// It has its place.
        case granted
        /// It waits for ``release(_:)`` to name its ticket.
        case queued(Ticket)
    }

    private struct Rank: Comparable, Sendable {
        let cameAt: Duration
        let ticket: Ticket

        static func < (lhs: Rank, rhs: Rank) -> Bool {
            lhs.cameAt != rhs.cameAt ? lhs.cameAt < rhs.cameAt : lhs.ticket < rhs.ticket
        }
    }

    private struct HostState: Sendable {
        var running = 0
        var waiting = KeyedHeap<Ticket, Rank>()
    }

    private let perHost: Int
    private let inAll: Int
    private let ageing: Duration
    private var hosts: [Host: HostState] = [:]
    /// The hosts with waiting requests and room for one more, by their first in the queue.
    private var ready = KeyedHeap<Host, Rank>()
    private var lastTicket: Ticket = 0

    /// The requests that have a place.
    private(set) var running = 0
    /// The requests that wait.
    private(set) var waiting = 0

    init(_ limits: RequestLimits) {
        perHost = limits.maximumPerHost.map { max(1, $0) } ?? .max
        inAll = limits.maximumInAll.map { max(1, $0) } ?? .max
        ageing = min(max(.zero, limits.ageing), Timeline.longest)
    }

    /// The hosts it keeps anything about.
    var hostCount: Int { hosts.count }

    /// Takes a place where one is free; never waits.
    mutating func admitNow(_ host: Host) -> Bool {
        // Where there is room nobody of the host waits: the last release would have let them go.
        guard running < inAll, hosts[host]?.running ?? 0 < perHost else { return false }
        hosts[host, default: HostState()].running += 1
        running += 1
        return true
    }

    /// Takes a place or a ticket.
    mutating func admit(_ host: Host, priority: RequestPriority, now: Duration) -> Admission {
        if admitNow(host) { return .granted }
        lastTicket += 1
        let rank = Rank(cameAt: now - ageing * priority.rawValue, ticket: lastTicket)
        hosts[host, default: HostState()].waiting.set(lastTicket, rank: rank)
        waiting += 1
        settle(host)
        return .queued(lastTicket)
    }

    /// Gives a place back and names the request that has it now. One place lets one request go: where the session was
    /// full, the first of all; otherwise the host's.
    mutating func release(_ host: Host) -> (host: Host, ticket: Ticket)? {
        guard let state = hosts[host], state.running > 0 else { return nil }
        hosts[host]?.running -= 1
        running -= 1
        settle(host)
        guard running < inAll, let next = ready.first?.key, let ticket = hosts[next]?.waiting.popFirst() else {
            return nil
        }
        hosts[next]?.running += 1
        running += 1
        waiting -= 1
        settle(next)
        return (next, ticket)
    }

    /// Takes a waiting request out; false when it is not waiting (any more).
    mutating func cancel(_ ticket: Ticket, of host: Host) -> Bool {
        guard hosts[host]?.waiting.remove(ticket) == true else { return false }
        waiting -= 1
        settle(host)
        return true
    }

    /// Brings ``ready`` up to date, and forgets a host nobody uses.
    private mutating func settle(_ host: Host) {
        guard let state = hosts[host] else { return }
        if let first = state.waiting.first, state.running < perHost {
            ready.set(host, rank: first.rank)
        } else {
            ready.remove(host)
        }
        if state.running == 0, state.waiting.isEmpty { hosts[host] = nil }
    }
}
