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
    /// The request as the session resolved it, before interceptors; nil when it could not be.
    public let request: HTTPRequest?

    private struct State: Sendable {
        var lifecycle = RequestLifecycle()
        var task: Task<Void, Never>?
    }

    private let protected = Protected(State())
    private let work: @Sendable (DataRequest) async throws -> HTTPResponse
    /// Counts the total limit, where there is one.
    let timer: PausableTimer?
    /// Closed while the request is suspended.
    let gate = TransferGate()
    let progress = ProgressHub()
    private let onEnd: @Sendable (RequestID) -> Void
    /// Tells of what happens, where somebody hears it.
    let events: EventReporter?

    /// - Parameters:
    ///   - work: runs the pipeline; called once, when the request is resumed.
    ///   - onEnd: called once when the outcome is known, before the handlers.
    init(
        id: RequestID, request: HTTPRequest?, totalTimeout: Duration?,
        work: @escaping @Sendable (DataRequest) async throws -> HTTPResponse,
        onEnd: @escaping @Sendable (RequestID) -> Void, events: EventReporter? = nil
    ) {
        self.id = id
        self.request = request
        tags = request?.options.tags ?? []
        timer = totalTimeout.map { PausableTimer(limit: $0) }
        self.work = work
        self.onEnd = onEnd
        self.events = events
    }

    /// Where the request is in its life.
    public var state: RequestState { protected.withLock { $0.lifecycle.state } }

    /// Whether the outcome is known.
    public var isFinished: Bool { state == .finished }

    /// Sends the request, or lets a suspended one go on; without effect otherwise.
    @discardableResult
    public func resume() -> Self {
        perform(protected.withLock { $0.lifecycle.handle(.resume) })
        return self
    }

    /// Holds the request in the middle of whatever it does, until ``resume()``: nothing more is sent, received or
    /// delivered, and no time limit counts. Without effect before it was sent and after its end. A cancel ends it still.
    ///
    /// A transfer that has begun stops on transports that report ``TransportCapabilities/Features/pausing``, its bytes
    /// intact; the server may close a connection that is held for long. On others it goes on, and its outcome is held.
    @discardableResult
    public func suspend() -> Self {
        perform(protected.withLock { $0.lifecycle.handle(.suspend) })
        return self
    }

    /// Ends the request with ``HTTPError/cancelled``; without effect on one that has delivered its outcome. May be called
    /// any number of times, also before the request was sent, which then never is.
    public func cancel() {
        perform(protected.withLock { $0.lifecycle.handle(.cancel) })
    }

    /// ``resume()`` and ``response()`` in one.
    ///
    /// - Parameter here: whether what needs no wait is done on the calling task's thread, so that an answer from memory costs
    ///   no change of threads. Not where code of the app's runs: if that blocked, the caller would hear of no cancel.
    func send(here: Bool) async throws(HTTPError) -> HTTPResponse {
        // For a task that is cancelled already nothing is sent: an answer could be there before the cancellation is heard.
        let event: RequestLifecycle.Event = Task.isCancelled ? .cancel : .resume
        perform(protected.withLock { $0.lifecycle.handle(event) }, startsHere: here)
        return try await response()
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

    /// What ended the request, where it failed.
    var failure: HTTPError? {
        if case .failure(let error) = protected.withLock({ $0.lifecycle.outcome }) { error } else { nil }
    }

    /// Calls `handler` once with the outcome, on the thread that ended the request.
    func whenEnded(_ handler: @escaping @Sendable (Outcome) -> Void) {
        attach { [self] in handler(settled()) }
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

    private func perform(_ actions: RequestLifecycle.Actions, startsHere: Bool = false) {
        if actions.changesHold { obeyState() }
        if actions.start { startWork(here: startsHere) }
        if actions.stopWork { protected.withLock { $0.task }?.cancel() }
        if actions.ended {
            progress.finish()
            onEnd(id)
            if let events, let outcome = protected.withLock({ $0.lifecycle.outcome }) { events.complete(outcome) }
        }
        for handler in actions.deliver { handler() }
    }

    private func startWork(here: Bool) {
        let work: @Sendable () async -> Void = { [self] in
            do {
                end(.success(try await workWithinTotal()))
            } catch {
                end(.failure(HTTPError(error)))
            }
        }
        let running = here ? Task.beginningHere(work) : Task { await work() }
        let isOver = protected.withLock { state in
            state.task = running
            return state.lifecycle.state == .finished
        }
        // A cancel between the start and here found no task to stop.
        if isOver { running.cancel() }
    }

    /// Holds or releases as the state is now. Of two threads that suspend and resume, the last transition counts,
    /// whichever comes here last: each looks again after it has acted.
    private func obeyState() {
        while true {
            let isSuspended = state == .suspended
            if gate.set(closed: isSuspended) {
                isSuspended ? timer?.pause() : timer?.resume()
                events?.send(isSuspended ? .suspended : .resumed)
            }
            if (state == .suspended) == isSuspended { return }
        }
    }

    /// The work, ended with ``TimeoutPhase/total`` when the limit runs out, however deep it is stuck.
    private func workWithinTotal() async throws -> HTTPResponse {
        guard let timer else { return try await work(self) }
        timer.start { [weak self] in self?.end(.failure(.timedOut(.total))) }
        defer { timer.stop() }
        return try await work(self)
    }
}
