import Testing
import TrunklineTesting

@testable import TrunklineHTTP

@Suite struct LimitsQueueTests {
    private typealias Queue = LimitsQueue<String>

    private func ticket(_ admission: Queue.Admission) -> UInt64? {
        if case .queued(let ticket) = admission { ticket } else { nil }
    }

    @Test func `a place for each host, and the rest waits in order`() {
        var queue = Queue(RequestLimits(maximumPerHost: 1))
        #expect(queue.admit("a", priority: .normal, now: .zero) == .granted)
        #expect(queue.admit("b", priority: .normal, now: .zero) == .granted)
        let first = ticket(queue.admit("a", priority: .normal, now: .zero))
        let second = ticket(queue.admit("a", priority: .normal, now: .zero))
        #expect(first != nil && second != nil && queue.running == 2 && queue.waiting == 2)
        #expect(queue.release("b") == nil)
        #expect(queue.release("a")?.ticket == first)
        #expect(queue.release("a")?.ticket == second)
        #expect(queue.release("a") == nil)
        #expect(queue.running == 0 && queue.waiting == 0 && queue.hostCount == 0)
    }

    @Test func `the session's limit lets the first of all hosts go`() {
        var queue = Queue(RequestLimits(maximumPerHost: 2, maximumInAll: 2))
        #expect(queue.admit("a", priority: .normal, now: .zero) == .granted)
        #expect(queue.admit("a", priority: .normal, now: .zero) == .granted)
        let third = ticket(queue.admit("a", priority: .normal, now: .seconds(1)))
        let other = ticket(queue.admit("b", priority: .normal, now: .seconds(2)))
        let urgent = ticket(queue.admit("c", priority: .high, now: .seconds(3)))
        // Five seconds make up for one step: the high one counts as come at -2 s.
        #expect(queue.release("a")?.ticket == urgent)
        #expect(queue.release("c")?.ticket == third)
        #expect(queue.release("a")?.ticket == other)
    }

    /// The order in which they get the one place: (priority, comes at) → by index.
    @Test(arguments: [
        // First come first served within a priority.
        ([(RequestPriority.normal, 0), (.normal, 1), (.normal, 2)], [0, 1, 2]),
        ([(.low, 0), (.normal, 0), (.high, 0)], [2, 1, 0]),
        // The interval is 10 s: a wait of more than that makes up for a step …
        ([(.low, 0), (.normal, 9)], [1, 0]),
        ([(.low, 0), (.normal, 11)], [0, 1]),
        // … and at exactly the interval, the one that was there first goes first.
        ([(.low, 0), (.normal, 10)], [0, 1]),
        ([(.low, 0), (.high, 19)], [1, 0]),
        ([(.low, 0), (.high, 21)], [0, 1]),
        ([(.high, 0), (.low, 0), (.normal, 0), (.high, 0), (.low, 0)], [0, 3, 2, 1, 4]),
    ])
    func `priority, then order, with ageing`(_ arrivals: [(RequestPriority, Int)], _ order: [Int]) {
        var queue = Queue(RequestLimits(maximumPerHost: 1, ageing: .seconds(10)))
        _ = queue.admit("h", priority: .normal, now: .zero)
        let tickets = arrivals.map { ticket(queue.admit("h", priority: $0.0, now: .seconds($0.1))) }
        let served = arrivals.map { _ in queue.release("h").flatMap { next in tickets.firstIndex(of: next.ticket) } }
        #expect(served == order)
    }

    @Test func `a low request does not starve under a stream of urgent ones`() {
        var queue = Queue(RequestLimits(maximumPerHost: 1, ageing: .seconds(5)))
        _ = queue.admit("h", priority: .high, now: .zero)
        let low = ticket(queue.admit("h", priority: .low, now: .zero))
        var servedAt: Int?
        for second in 0..<100 where servedAt == nil {
            _ = queue.admit("h", priority: .high, now: .seconds(second))
            if queue.release("h")?.ticket == low { servedAt = second }
        }
        #expect(servedAt.map { 8...12 ~= $0 } == true)
    }

    @Test func `limits below one count as one, and none as none`() {
        for limit in [0, -5, .min] {
            var queue = Queue(RequestLimits(maximumPerHost: limit, maximumInAll: limit))
            #expect(queue.admit("a", priority: .high, now: .zero) == .granted)
            #expect(ticket(queue.admit("b", priority: .high, now: .zero)) != nil)
        }
        var queue = Queue(.none)
        for _ in 0..<1000 { #expect(queue.admit("a", priority: .low, now: .zero) == .granted) }
    }

    @Test func `a release without a request, and a cancel without a ticket, do nothing`() {
        var queue = Queue(RequestLimits(maximumPerHost: 1, ageing: .seconds(Int64.max)))
        #expect(queue.release("a") == nil)
        #expect(queue.cancel(3, of: "a") == false)
        #expect(queue.admit("a", priority: .high, now: .zero) == .granted)
        #expect(queue.running == 1)
    }

    /// Every operation in random order against a model that looks at everything each time.
    @Test func `random operations keep the limits, lose nobody and serve the first`() {
        var random = SeededRandom(seed: 11)
        for round in 0..<60 {
            let limits = RequestLimits(
                maximumPerHost: round % 3 == 0 ? nil : 1 + round % 4, maximumInAll: round % 2 == 0 ? 3 : nil,
                ageing: .seconds(3))
            var queue = Queue(limits)
            var running: [String: Int] = [:]
            var waiting: [UInt64: (host: String, rank: Duration)] = [:]
            for step in 0..<400 {
                let host = "\(Int.random(in: 0..<5, using: &random))"
                let isFull = running.values.reduce(0, +) >= limits.maximumInAll ?? .max
                switch Int.random(in: 0..<5, using: &random) {
                case 0, 1, 2:
                    let priority = RequestPriority.allCases.randomElement(using: &random) ?? .low
                    let now = Duration.milliseconds(step * 7)
                    switch queue.admit(host, priority: priority, now: now) {
                    case .granted:
                        #expect(!isFull && running[host, default: 0] < limits.maximumPerHost ?? .max)
                        running[host, default: 0] += 1
                    case .queued(let ticket):
                        #expect(isFull || running[host, default: 0] >= limits.maximumPerHost ?? .max)
                        waiting[ticket] = (host, now - .seconds(3) * priority.rawValue)
                    }
                case 3 where running[host, default: 0] > 0:
                    running[host, default: 0] -= 1
                    let eligible = waiting.filter {
                        running[$0.value.host, default: 0] < limits.maximumPerHost ?? .max
                    }
                    let first = eligible.min { ($0.value.rank, $0.key) < ($1.value.rank, $1.key) }
                    let next = queue.release(host)
                    #expect(next?.ticket == first?.key && next?.host == first?.value.host)
                    if let next {
                        waiting[next.ticket] = nil
                        running[next.host, default: 0] += 1
                    }
                default:
                    guard let (ticket, waiter) = waiting.randomElement(using: &random) else { continue }
                    #expect(queue.cancel(ticket, of: waiter.host) == true)
                    waiting[ticket] = nil
                }
                #expect(queue.running == running.values.reduce(0, +) && queue.waiting == waiting.count)
            }
        }
    }
}
