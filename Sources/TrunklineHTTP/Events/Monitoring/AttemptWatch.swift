import Foundation

/// Tells of one attempt from its start to its end: that of its content, where it is streamed. One that nobody reads to
/// its end has been cancelled.
final class AttemptWatch: Sendable {
    private struct State: Sendable {
        var response: HTTPResponse?
        var count: Int64 = 0
        var kept = Data()
    }

    private let events: EventReporter
    private let attempt: Event.Attempt
    private let start = Date()
    private let token: Int
    private let state = Protected(State())

    init(_ events: EventReporter, _ attempt: Event.Attempt) {
        self.events = events
        self.attempt = attempt
        let start = start
        token = events.begin(.attemptStarted(attempt)) { [weak events] error in
            let end = Event.AttemptEnd(outcome: .failure(error), contentBytes: 0, isContentWhole: true)
            return AttemptWatch.closing(attempt, end, events?.trace?.span(of: attempt, start, end.outcome))
        }
    }

    deinit {
        if state.withLock({ $0.response != nil }) { failed(.cancelled) }
    }

    /// The end of an attempt, in its order.
    private static func closing(
        _ attempt: Event.Attempt, _ end: Event.AttemptEnd, _ span: TraceSpan?
    ) -> [Event.Kind] {
        var kinds: [Event.Kind] = []
        if let metrics = end.outcome.answer?.metrics { kinds.append(.metrics(attempt, metrics)) }
        kinds.append(.attemptEnded(attempt, end))
        if let span { kinds.append(.spanEnded(span)) }
        return kinds
    }

    private func end(_ outcome: Event.Outcome, count: Int64, isWhole: Bool) {
        state.withLock { $0.response = nil }
        let end = Event.AttemptEnd(outcome: outcome, contentBytes: count, isContentWhole: isWhole)
        events.end(
            token,
            AttemptWatch.closing(attempt, end, events.trace?.span(of: attempt, start, outcome)))
    }

    // MARK: - For the stage

    func observer(beside other: ProgressObserver?) -> ProgressObserver {
        ProgressObserver(
            sent: { [events, attempt] in
                events.send(.bytes(attempt, .sent, $0))
                other?.sent?($0)
            },
            received: { [events, attempt] in
                events.send(.bytes(attempt, .received, $0))
                other?.received?($0)
            })
    }

    func failed(_ error: HTTPError) {
        let count = state.withLock { $0.count }
        end(.failure(error), count: count, isWhole: count == 0)
    }

    /// Takes the answer; its body, when it is a stream, is watched.
    func answered(_ response: HTTPResponse) -> HTTPResponse {
        var head = response
        head.body = .data(Data())
        events.send(.responseHead(attempt, head))
        switch response.body {
        case .data(let data):
            end(.success(response), count: Int64(data.count), isWhole: true)
            return response
        case .file(let url):
            let (kept, count) = keptContent(of: url)
            head.body = .data(kept)
            end(.success(head), count: count, isWhole: Int64(kept.count) == count)
            return response
        case .stream(let chunks):
            state.withLock { [head] in $0.response = head }
            var response = response
            let watched = WatchedChunks(chunks: chunks, watch: self)
            response.body = .stream(ResponseBody.Chunks(unfolding: { try await watched.next() }))
            return response
        }
    }

    private func keptContent(of url: URL) -> (Data, Int64) {
        let count = (try? FileFacts.length(of: url)) ?? 0
        guard events.details.contains(.content), let file = try? FileHandle(forReadingFrom: url) else {
            return (Data(), count)
        }
        defer { try? file.close() }
        return ((try? file.read(upToCount: EventDetails.keptContent)) ?? Data(), count)
    }

    // MARK: - For the stream

    fileprivate func took(_ chunk: Data) {
        let keeps = events.details.contains(.content)
        state.withLock { state in
            state.count += Int64(chunk.count)
            if keeps { state.kept.append(chunk.prefix(EventDetails.keptContent - state.kept.count)) }
        }
    }

    fileprivate func tookAll() {
        let (response, count, kept) = state.withLock { ($0.response, $0.count, $0.kept) }
        guard var response else { return }
        response.body = .data(kept)
        if let late = response.lateTrailers {
            response.trailers = late.current
            if let metrics = late.metrics { response.metrics = metrics }
        }
        end(.success(response), count: count, isWhole: Int64(kept.count) == count)
    }
}

/// Chunks with the watch over them, which ends with the stream.
private struct WatchedChunks: Sendable {
    let chunks: ResponseBody.Chunks
    let watch: AttemptWatch

    func next() async throws -> Data? {
        // Iterators of one stream share what is behind it, so a new one goes on where the last one was.
        var iterator = chunks.makeAsyncIterator()
        do {
            guard let chunk = try await iterator.next() else {
                // A cancelled stream looks as if it had ended.
                if Task.isCancelled { watch.failed(.cancelled) } else { watch.tookAll() }
                return nil
            }
            watch.took(chunk)
            return chunk
        } catch {
            watch.failed(HTTPError(error))
            throw error
        }
    }
}
