import Foundation

/// What a server has seen, for tests to look at.
struct LoopbackRecord: Sendable {
    /// What somebody waits for.
    enum Condition: Sendable {
        case requests(Int)
        case requestsOf(path: String, Int)
        case connections(Int)
        case openConnections(atMost: Int)
    }

    struct Waiter: Sendable {
        var condition: Condition
        var resume: @Sendable (Bool) -> Void
    }

    private static let rawBytesTotal = 64 << 20
    private static let pathLimit = 100_000

    /// The kept requests; there may be up to twice as many as the limit.
    private var requests: [LoopbackRequest] = []
    private var limit = 0
    private(set) var abandoned: [LoopbackRequest] = []
    private(set) var requestCount = 0
    private(set) var counts: [String: Int] = [:]
    private(set) var connectionCount = 0
    private(set) var openConnections = 0
    private(set) var completeBodies = 0
    private(set) var raw: [Int: Data] = [:]
    private(set) var isStopped = false
    private var rawTotal = 0
    private var keptBytes = 0
    /// The number of the first kept request, less one.
    private var dropped = 0
    private var waiters: [Int: Waiter] = [:]
    private var nextWaiter = 0

    mutating func connectionOpened() {
        connectionCount += 1
        openConnections += 1
    }

    mutating func connectionClosed() { openConnections -= 1 }

    mutating func received(_ bytes: UnsafeRawBufferPointer, on connection: Int, limit: Int) {
        let room = min(limit - (raw[connection]?.count ?? 0), LoopbackRecord.rawBytesTotal - rawTotal, bytes.count)
        guard room > 0 else { return }
        raw[connection, default: Data()].append(contentsOf: bytes.prefix(room))
        rawTotal += room
    }

    /// Counts a request, and gives its number.
    mutating func count(path: String) -> Int {
        requestCount += 1
        if counts.count < LoopbackRecord.pathLimit || counts[path] != nil { counts[path, default: 0] += 1 }
        return requestCount
    }

    mutating func countBody() { completeBodies += 1 }

    /// Keeps a request, which was counted just now.
    mutating func keep(_ request: LoopbackRequest, _ options: LoopbackOptions) {
        guard options.recordLimit > 0 else { return }
        if requests.isEmpty { dropped = request.number - 1 }
        requests.append(request)
        keptBytes += LoopbackRecord.size(request)
        // Many are dropped at once, so that a long run does not move the rest for every request.
        limit = options.recordLimit
        if requests.count - limit > limit {
            drop(requests.count - limit)
        } else if keptBytes > options.recordedBytesLimit, requests.count > 1 {
            drop(requests.count / 2)
        }
    }

    private mutating func drop(_ count: Int) {
        for request in requests.prefix(count) { keptBytes -= LoopbackRecord.size(request) }
        requests.removeFirst(count)
        dropped += count
    }

    /// Puts the whole request in the place of the one that was kept after its head.
    mutating func amend(_ request: LoopbackRequest) {
        let place = request.number - 1 - dropped
        guard requests.indices.contains(place), requests[place].number == request.number else { return }
        keptBytes += LoopbackRecord.size(request) - LoopbackRecord.size(requests[place])
        requests[place] = request
    }

    mutating func abandon(_ request: LoopbackRequest, _ options: LoopbackOptions) {
        abandoned.append(request)
        if abandoned.count > options.recordLimit { abandoned.removeFirst() }
    }

    /// Forgets requests, counts and bytes. Connections stay counted.
    mutating func clear() {
        requests = []
        abandoned = []
        requestCount = 0
        counts = [:]
        completeBodies = 0
        raw = [:]
        rawTotal = 0
        keptBytes = 0
        dropped = 0
    }

    private static func size(_ request: LoopbackRequest) -> Int {
        request.rawHead.count + request.rawBody.count
    }

    /// The newest requests, as many as the limit allows.
    var newestRequests: [LoopbackRequest] { requests.count > limit ? requests.suffix(limit) : requests }

    // Waiters

    func holds(_ condition: Condition) -> Bool {
        switch condition {
        case .requests(let count): requestCount >= count
        case .requestsOf(let path, let count): counts[path, default: 0] >= count
        case .connections(let count): connectionCount >= count
        case .openConnections(let count): openConnections <= count
        }
    }

    /// Keeps a waiter unless its condition holds or the server has stopped; nil when it was not kept.
    mutating func add(_ waiter: Waiter) -> Int? {
        guard !holds(waiter.condition), !isStopped else { return nil }
        nextWaiter += 1
        waiters[nextWaiter] = waiter
        return nextWaiter
    }

    mutating func removeWaiter(_ id: Int) -> Waiter? { waiters.removeValue(forKey: id) }

    /// Takes out the waiters whose condition holds.
    mutating func satisfied() -> [Waiter] {
        if waiters.isEmpty { return [] }
        let ids = waiters.filter { holds($0.value.condition) }.keys
        return ids.compactMap { waiters.removeValue(forKey: $0) }
    }

    /// Marks the end of the server and takes out all waiters.
    mutating func stop() -> [Waiter] {
        isStopped = true
        defer { waiters = [:] }
        return Array(waiters.values)
    }
}
