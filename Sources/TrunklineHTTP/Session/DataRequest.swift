import Foundation

/// A request in the hands of its caller: wait for it, attach handlers, cancel it.
///
/// - Ends exactly once, with a response or an ``HTTPError``, also when it was refused before anything was sent.
/// - Each handler is called exactly once, on the queue it asked for, never from inside the call that attached it.
///   Handlers attached after the end get the same outcome.
/// - After ``cancel()`` was called on a handler's queue, that handler hears nothing but ``HTTPError/cancelled``. A
///   request that has delivered its outcome is not changed by a cancel.
/// - The request keeps itself alive until it ends; dropping the handle cancels nothing.
///
/// All members may be used from any thread.
public final class DataRequest: Sendable {
    /// The outcome of a request.
    public typealias Outcome = Result<HTTPResponse, HTTPError>

    /// The library's identity for this request, the same through redirects and retries.
    public let id: RequestID
    /// Words the request can be found and cancelled by.
    public let tags: Set<String>

    private struct State: Sendable {
        var lifecycle = RequestLifecycle()
        var task: Task<Void, Never>?
    }

    private let protected = Protected(State())
    private let work: @Sendable (DataRequest) async throws -> HTTPResponse
    private let totalTimeout: Duration?
    private let onEnd: @Sendable (RequestID) -> Void

    /// - Parameters:
    ///   - work: runs the pipeline; called once, when the request is resumed.
    ///   - onEnd: called once when the outcome is known, before the handlers.
    init(
        id: RequestID, tags: Set<String>, totalTimeout: Duration?,
        work: @escaping @Sendable (DataRequest) async throws -> HTTPResponse,
        onEnd: @escaping @Sendable (RequestID) -> Void
    ) {
        self.id = id
        self.tags = tags
        self.totalTimeout = totalTimeout
        self.work = work
        self.onEnd = onEnd
    }

    /// Where the request is in its life.
    public var state: RequestState { protected.withLock { $0.lifecycle.state } }

    /// Whether the outcome is known.
    public var isFinished: Bool { state == .finished }

    /// Sends the request; without effect on one that was sent or cancelled already. Needed only where
    /// ``SessionConfiguration/startsRequestsImmediately`` is off.
    @discardableResult
    public func resume() -> Self {
        perform(protected.withLock { $0.lifecycle.handle(.resume) })
        return self
    }

    /// Ends the request with ``HTTPError/cancelled``; without effect on one that has delivered its outcome. May be called
    /// any number of times, also before the request was sent, which then never is.
    public func cancel() {
        perform(protected.withLock { $0.lifecycle.handle(.cancel) })
    }

    /// Waits for the response. Cancelling the waiting task cancels the request.
    ///
    /// - Throws: the ``HTTPError`` that ended the request; ``HTTPError/cancelled`` when the waiting task was cancelled.
    public func response() async throws(HTTPError) -> HTTPResponse {
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Outcome, Never>) in
                attach { [self] in continuation.resume(returning: settled()) }
            }
        } onCancel: {
            cancel()
        }
        return try outcome.get()
    }

    /// Calls `handler` once with the outcome.
    ///
    /// - Parameters:
    ///   - queue: where the handler runs; by default the main queue.
    ///   - handler: hears the outcome. The request keeps it until then.
    @discardableResult
    public func onResponse(
        on queue: DispatchQueue = .main, _ handler: @escaping @Sendable (Outcome) -> Void
    ) -> Self {
        attach { [self] in
            queue.async { handler(self.settled()) }
        }
        return self
    }

    /// Turns the response into a value off the callback's queue, then calls `handler` there. A cancel in between wins.
    func onDecoded<Value: Sendable>(
        on queue: DispatchQueue, _ decode: @escaping @Sendable (HTTPResponse) throws(HTTPError) -> Value,
        _ handler: @escaping @Sendable (Result<Value, HTTPError>) -> Void
    ) -> Self {
        attach { [self] in
            DispatchQueue.global().async { [self] in
                let decoded: Result<Value, HTTPError>?
                if case .success(let response) = protected.withLock({ $0.lifecycle.outcome }) {
                    decoded = Result { () throws(HTTPError) in try decode(response) }
                } else {
                    decoded = nil
                }
                queue.async { [self] in
                    switch (settled(), decoded) {
                    case (.failure(let error), _): handler(.failure(error))
                    case (.success, let decoded): handler(decoded ?? .failure(.cancelled))
                    }
                }
            }
        }
        return self
    }

    // MARK: - The machine's owner

    func end(_ outcome: Outcome) {
        perform(protected.withLock { $0.lifecycle.handle(.end(outcome)) })
    }

    private func attach(_ handler: @escaping RequestLifecycle.Handler) {
        perform(protected.withLock { $0.lifecycle.handle(.attach(handler)) })
    }

    private func settled() -> Outcome {
        protected.withLock { $0.lifecycle.settle() } ?? .failure(.cancelled)
    }

    private func perform(_ actions: RequestLifecycle.Actions) {
        if actions.start { startWork() }
        if actions.stopWork { protected.withLock { $0.task }?.cancel() }
        if actions.ended { onEnd(id) }
        for handler in actions.deliver { handler() }
    }

    private func startWork() {
        let running = Task { [self] in
            do {
                end(.success(try await workWithinTotal()))
            } catch {
                end(.failure(HTTPError(error)))
            }
        }
        let isOver = protected.withLock { state in
            state.task = running
            return state.lifecycle.state == .finished
        }
        // A cancel between the start and here found no task to stop.
        if isOver { running.cancel() }
    }

    /// The work, ended with ``TimeoutPhase/total`` when the limit runs out, however deep it is stuck. The timer is not a
    /// task, so that no code that blocks the tasks' threads can hold it up.
    private func workWithinTotal() async throws -> HTTPResponse {
        guard let totalTimeout else { return try await work(self) }
        let timer = DispatchWorkItem { [weak self] in self?.end(.failure(.timedOut(.total))) }
        DispatchQueue.global().asyncAfter(deadline: .now() + totalTimeout.seconds, execute: timer)
        defer { timer.cancel() }
        return try await work(self)
    }
}
