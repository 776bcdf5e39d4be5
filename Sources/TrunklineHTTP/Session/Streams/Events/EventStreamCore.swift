import Foundation

/// The producer of an event stream: connects, reads, waits and connects again. Runs as the work of one request.
final class EventStreamCore: Sendable {
    private struct State: Sendable {
        var phase = EventStreamState.connecting
        var isClosed = false
        var lastEventID: String
        /// The reconnection time in force.
        var time: Duration
        var observers: [@Sendable (EventStreamState) -> Void] = []
    }

    /// The events in the batches they arrive in; none is empty.
    let channel = StreamChannel<[ServerSentEvent]>()
    private let options: EventStreamOptions
    private let now: @Sendable () -> Date
    private let shared: Protected<State>

    init(options: EventStreamOptions, now: @escaping @Sendable () -> Date = { Date() }) {
        self.options = options
        self.now = now
        shared = Protected(State(lastEventID: options.lastEventID, time: options.reconnectionTime))
    }

    var state: EventStreamState { shared.withLock { $0.phase } }
    var lastEventID: String { shared.withLock { $0.lastEventID } }

    func observe(_ observer: @escaping @Sendable (EventStreamState) -> Void) {
        shared.withLock { $0.observers.append(observer) }
    }

    /// Ends the consumer's side with the outcome of the request.
    func finish(_ outcome: DataRequest.Outcome) {
        change(.closed)
        channel.finish(outcome.map { _ in })
    }

    /// The whole life of the stream; returns the head of the last response.
    func run(_ exchange: Exchange, through pipeline: Next) async throws -> HTTPResponse {
        let reconnects = options.reconnects(exchange.request.method)
        var exchange = exchange
        var failures = 0
        while true {
            change(.connecting)
            let ending: EventReconnection.Ending
            do {
                let response = try await connect(exchange, through: pipeline)
                failures = 0
                if response.statusCode != 204 {
                    change(.open)
                    try await read(response)
                }
                var head = response
                head.body = .data(Data())
                if response.statusCode == 204 || !reconnects { return head }
                ending = .finished
            } catch {
                try Task.checkCancellation()
                failures += 1
                ending = .failed(HTTPError(error))
            }
            let error: HTTPError? = if case .failed(let error) = ending { error } else { nil }
            let wait = EventReconnection.delay(
                after: ending, failures: failures, time: shared.withLock { $0.time }, options: options, now: now())
            guard reconnects, let wait else { throw error ?? .cancelled }
            change(.waiting(wait, after: error))
            exchange.events?.send(
                .retryScheduled(Event.Retry(reason: .reconnection(error), delay: wait, attempt: exchange.attempt + 1)))
            try await options.clock.sleep(for: wait)
            exchange.attempt += 1
        }
    }

    /// Sends the request and judges the head. An open stream may be silent, a server that is asked may not: until the
    /// head is there, the request's own limit on silence counts.
    private func connect(_ exchange: Exchange, through pipeline: Next) async throws -> HTTPResponse {
        var exchange = exchange
        let limit = exchange.timeouts.idle
        exchange.timeouts.idle = nil
        let id = lastEventID
        if !id.isEmpty { exchange.request.headers.set("Last-Event-ID", id) }
        let asked = exchange
        let response = try await withThrowingTaskGroup(of: HTTPResponse.self) { group in
            group.addTask { try await pipeline(asked) }
            if let limit {
                group.addTask {
                    try await Task.sleep(for: limit)
                    throw HTTPError.timedOut(.idle)
                }
            }
            defer { group.cancelAll() }
            guard let first = try await group.next() else { throw HTTPError.cancelled }
            return first
        }
        do {
            try EventStreamCore.validation.validate(response)
        } catch HTTPError.validation(var failure) {
            failure.response = await RefusedContent.attached(to: response)
            throw HTTPError.validation(failure)
        }
        return response
    }

    /// Reads the events of one connection, within the limit on silence. The last event ID and the reconnection time change
    /// as they come.
    private func read(_ response: HTTPResponse) async throws {
        guard let limit = options.idleLimit else { return try await readAll(response, waiting: nil) }
        let waiting = Protected<ContinuousClock.Instant?>(nil)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.readAll(response, waiting: waiting) }
            group.addTask {
                while true {
                    // While the consumer is at work nothing is awaited, and nothing is late.
                    let since = waiting.current ?? .now
                    try await Task.sleep(until: since + limit, clock: .continuous)
                    if waiting.current == since { throw HTTPError.timedOut(.idle) }
                }
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func readAll(_ response: HTTPResponse, waiting: Protected<ContinuousClock.Instant?>?) async throws {
        var parser = EventSourceParser(
            lastEventID: lastEventID, maximumEventLength: options.maximumEventLength)
        var chunks = response.chunks.makeAsyncIterator()
        while true {
            try await channel.demand()
            var events: [ServerSentEvent] = []
            while events.isEmpty {
                waiting?.withLock { $0 = .now }
                let next = try await chunks.next()
                waiting?.withLock { $0 = nil }
                guard let chunk = next else {
                    // A cancelled stream looks as if it had ended.
                    try Task.checkCancellation()
                    if let failure = parser.failure { throw failure }
                    return
                }
                events = try parser.push(chunk)
                shared.withLock { [parser] state in
                    state.lastEventID = parser.lastEventID
                    state.time = parser.reconnectionTime ?? state.time
                }
            }
            channel.give(events)
        }
    }

    /// Status 200 with the media type of event streams, or 204 (WHATWG HTML, section 9.2.3).
    static let validation = ResponseValidation(checks: [
        { [200, 204].contains($0.statusCode) ? nil : .unacceptableStatus($0.statusCode) },
        { response in
            let accepted = ["text/event-stream"]
            if response.statusCode == 204 { return nil }
            guard let type = response.headers["Content-Type"] else { return .missingContentType(accepted: accepted) }
            let isAccepted = MediaType(type)?.essence == accepted[0]
            return isAccepted ? nil : .unacceptableContentType(type, accepted: accepted)
        },
    ])

    private func change(_ phase: EventStreamState) {
        let observers = shared.withLock { state -> [@Sendable (EventStreamState) -> Void] in
            if state.isClosed { return [] }
            if case .closed = phase { state.isClosed = true }
            state.phase = phase
            defer { if state.isClosed { state.observers = [] } }
            return state.observers
        }
        for observer in observers { observer(phase) }
    }
}

extension HTTPResponse {
    /// The content as chunks, however it was delivered.
    fileprivate var chunks: ResponseBody.Chunks {
        if case .stream(let chunks) = body { return chunks }
        let content = Result { try wholeContent() }
        return ResponseBody.Chunks { continuation in
            if case .success(let data) = content, !data.isEmpty { continuation.yield(data) }
            continuation.finish()
        }
    }
}
