/// Hands elements from one producer to one consumer, one at a time and only when asked: nothing is kept in between, so a
/// slow consumer slows the producer, and nothing arrives after the end.
final class StreamChannel<Element: Sendable>: Sendable {
    private struct State {
        var end: Result<Void, HTTPError>?
        var isClaimed = false
        var consumer: CheckedContinuation<Element?, any Error>?
        var producer: CheckedContinuation<Void, any Error>?
    }

    /// What the producer finds.
    private enum Demand {
        case ready, over, waits
    }

    /// What the consumer finds.
    private enum Request {
        case end(Result<Void, HTTPError>)
        case waits(CheckedContinuation<Void, any Error>?)
    }

    private let state = Protected(State())

    /// Whether somebody has begun to read.
    var isClaimed: Bool { state.withLock { $0.isClaimed } }

    /// Makes the caller the consumer; false when there is one.
    func claim() -> Bool {
        state.withLock { state in
            defer { state.isClaimed = true }
            return !state.isClaimed
        }
    }

    // MARK: The producer's side

    /// Waits until the consumer asks for an element. Throws when the stream has ended meanwhile, or the task is
    /// cancelled.
    func demand() async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let answer: Demand = state.withLock { state in
                    if state.end != nil || Task.isCancelled { return .over }
                    if state.consumer != nil { return .ready }
                    state.producer = continuation
                    return .waits
                }
                switch answer {
                case .ready: continuation.resume()
                case .over: continuation.resume(throwing: HTTPError.cancelled)
                case .waits: break
                }
            }
        } onCancel: {
            let producer = state.withLock { state in
                defer { state.producer = nil }
                return state.producer
            }
            producer?.resume(throwing: HTTPError.cancelled)
        }
    }

    /// Gives the element that was asked for; see ``demand()``.
    func give(_ element: Element) {
        let consumer = state.withLock { state in
            defer { state.consumer = nil }
            return state.consumer
        }
        consumer?.resume(returning: element)
    }

    /// Ends the stream; without effect the second time.
    func finish(_ end: Result<Void, HTTPError>) {
        let (consumer, producer) = state.withLock {
            state -> (CheckedContinuation<Element?, any Error>?, CheckedContinuation<Void, any Error>?) in
            guard state.end == nil else { return (nil, nil) }
            state.end = end
            defer { (state.consumer, state.producer) = (nil, nil) }
            return (state.consumer, state.producer)
        }
        producer?.resume(throwing: HTTPError.cancelled)
        switch end {
        case .success: consumer?.resume(returning: nil)
        case .failure(let error): consumer?.resume(throwing: error)
        }
    }

    // MARK: The consumer's side

    /// The next element; nil after the last one. `onCancel` runs when the task is cancelled, and has to end the stream.
    func next(onCancel: @escaping @Sendable () -> Void) async throws -> Element? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let answer: Request = state.withLock { state in
                    if let end = state.end { return .end(end) }
                    if state.consumer != nil { return .end(.failure(StreamFailures.secondConsumer)) }
                    state.consumer = continuation
                    defer { state.producer = nil }
                    return .waits(state.producer)
                }
                switch answer {
                case .end(.success): continuation.resume(returning: nil)
                case .end(.failure(let error)): continuation.resume(throwing: error)
                case .waits(let producer): producer?.resume()
                }
            }
        } onCancel: {
            onCancel()
        }
    }
}
