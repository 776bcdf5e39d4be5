import Foundation
import TrunklineHTTP

/// What is kept of one request from its making to its outcome.
struct ExchangeRecord: Sendable {
    /// The outcome.
    struct End: Sendable {
        var time: ContinuousClock.Instant
        var status: Int?
        var failure: KeptFailure?
    }

    /// The most attempts of one request: an event stream connects for as long as the app runs.
    static let mostAttempts = 100
    /// The most notes.
    static let mostNotes = 300

    let id: RequestID
    let start: ContinuousClock.Instant
    let date: Date
    /// The request as the session resolved it, without its content; nil when it could not be.
    let request: HTTPRequest?
    /// The store's revision at its last change.
    var revision = 0
    private(set) var attempts: [AttemptRecord] = []
    private(set) var attemptCount = 0
    private(set) var redirects = 0
    private(set) var retries = 0
    private(set) var notes: [TimelineNote] = []
    private(set) var droppedNotes = 0
    private(set) var cache: CacheEvent?
    /// Whether it shares the exchange of another request.
    private(set) var isCoalesced = false
    /// The answer, where no attempt brought it: the cache's or an interceptor's.
    private(set) var answer: HTTPResponse?
    private(set) var end: End?
    /// The bytes it takes, roughly.
    private(set) var cost = 0

    init(_ happening: Happening, request: HTTPRequest?) {
        id = happening.id
        start = happening.time
        date = happening.date
        self.request = request
        notes = [TimelineNote(time: happening.time, kind: .created)]
        cost = 512 + (request?.keptCost ?? 0)
    }

    /// Takes in what happened next.
    ///
    /// - Parameter limit: the most bytes; the contents of the oldest attempts go first.
    mutating func apply(_ happening: Happening, limit: Int) {
        if let kind = happening.note { add(TimelineNote(time: happening.time, kind: kind)) }
        if happening.isRedirect { redirects += 1 }
        if case .coalesced? = happening.note { isCoalesced = true }
        if happening.isRetry { retries += 1 }
        if case .cache(let decision)? = happening.note, decision != .stored { cache = decision }
        switch happening.change {
        case .attemptStarted(let attempt):
            attempts.append(attempt)
            cost += attempt.cost
            attemptCount += 1
            if attempts.count > ExchangeRecord.mostAttempts { cost -= attempts.removeFirst().cost }
        case .responseHead(let number, let head):
            change(number) { attempt in
                attempt.head = head
                attempt.headTime = happening.time
            }
        case .attemptEnded(let number, let end):
            change(number) { attempt in
                attempt.end = end
                if end.response != nil { attempt.head = nil }
            }
        case .answered(let response):
            if case .cache = response.source {
                set(answer: response)
            } else if attempts.isEmpty {
                set(answer: response)
            }
        case .completed(let end):
            self.end = end
        case .created, .none:
            return
        }
        for index in attempts.indices where cost > limit && !attempts[index].isStripped {
            change(at: index) { $0.strip() }
        }
        if cost > limit { set(answer: answer?.kept(limit: 0)) }
    }

    private mutating func change(_ number: Int, _ change: (inout AttemptRecord) -> Void) {
        guard let index = attempts.lastIndex(where: { $0.number == number }) else { return }
        self.change(at: index, change)
    }

    private mutating func change(at index: Int, _ change: (inout AttemptRecord) -> Void) {
        cost -= attempts[index].cost
        change(&attempts[index])
        cost += attempts[index].cost
    }

    private mutating func set(answer: HTTPResponse?) {
        cost += (answer?.keptCost ?? 0) - (self.answer?.keptCost ?? 0)
        self.answer = answer
    }

    private mutating func add(_ note: TimelineNote) {
        notes.append(note)
        // The first ones tell how it began.
        if notes.count > ExchangeRecord.mostNotes {
            notes.remove(at: ExchangeRecord.mostNotes / 4)
            droppedNotes += 1
        }
    }
}
