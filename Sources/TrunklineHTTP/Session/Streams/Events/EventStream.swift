import Foundation

/// Server-Sent Events as a sequence (WHATWG HTML, section 9.2).
///
/// ```swift
/// for try await event in session.events(.get(url)) { print(event.data) }
/// ```
///
/// - The request goes through the session's pipeline with `Accept: text/event-stream`. Status 200 with that media type opens
///   the stream; 204 ends it; any other answer is ``HTTPError/validation(_:)``. Redirects are followed as the session's
///   policy says.
/// - When the connection ends or fails, it is made again after the reconnection time, with the last event ID in
///   `Last-Event-ID`; see ``EventStreamOptions``. A refusal with status 408, 425, 429 or 5xx and `Retry-After` is tried again
///   after that time. An event that is not complete when the connection ends is dropped.
/// - Events are pulled: a consumer that is slow slows the server. One consumer; a second one gets
///   ``HTTPError/unsupported(feature:platform:)``.
/// - Ends exactly once: with nil after 204 or, without reconnection, at the end of the content; else with the ``HTTPError``.
///   Leaving the loop, releasing the iterator and cancelling its task close the connection.
///
/// For an API that answers a POST with a stream of tokens, sent once:
///
/// ```swift
/// for try await event in session.events(.post(url, parameters: question, encoding: .json)) {
///     if event.data == "[DONE]" { break }
///     show(try event.decode(Token.self))
/// }
/// ```
///
/// All members may be used from any thread.
public final class EventStream: AsyncSequence, Sendable {
    public typealias Element = ServerSentEvent

    let request: DataRequest
    let core: EventStreamCore

    init(request: DataRequest, core: EventStreamCore) {
        self.request = request
        self.core = core
    }

    deinit {
        // Nobody can read on.
        if !core.channel.isClaimed { request.cancel() }
    }

    /// The library's identity for this stream, the same through reconnections.
    public var id: RequestID { request.id }

    /// Where the stream is.
    public var state: EventStreamState { core.state }

    /// The last event ID: with it in ``EventStreamOptions/lastEventID`` a later stream goes on where this one was.
    public var lastEventID: String { core.lastEventID }

    /// Sends the request; see ``DataRequest/resume()``.
    @discardableResult
    public func resume() -> Self {
        request.resume()
        return self
    }

    /// Ends the stream with ``HTTPError/cancelled``, also while it waits to reconnect.
    public func cancel() { request.cancel() }

    /// Calls `handler` with each change of ``state`` from now on, in order; ``EventStreamState/closed`` comes last, once.
    ///
    /// - Parameters:
    ///   - queue: a serial queue where the handler runs; by default the main queue.
    ///   - handler: hears the new state.
    @discardableResult
    public func onStateChange(
        on queue: DispatchQueue = .main, _ handler: @escaping @Sendable (EventStreamState) -> Void
    ) -> Self {
        core.observe { state in queue.async { handler(state) } }
        return self
    }

    /// Reads the stream: calls `handler` with each event, in order, one after the other, then `completion` once.
    ///
    /// After ``cancel()`` was called on `queue`, nothing comes but the completion, with ``HTTPError/cancelled``. The stream
    /// keeps itself alive until its end.
    ///
    /// - Parameters:
    ///   - queue: where both run; by default the main queue.
    ///   - handler: hears the events.
    ///   - completion: hears the end.
    @discardableResult
    public func onEvent(
        on queue: DispatchQueue = .main, _ handler: @escaping @Sendable (ServerSentEvent) -> Void,
        completion: @escaping @Sendable (Result<Void, HTTPError>) -> Void = { _ in }
    ) -> Self {
        let iterator = makeAsyncIterator()
        let request = request
        Task { [iterator] in
            var iterator = iterator
            var end = Result<Void, HTTPError>.success(())
            do {
                while let event = try await iterator.next() {
                    await withCheckedContinuation { continuation in
                        queue.async {
                            if !request.isFinished { handler(event) }
                            continuation.resume()
                        }
                    }
                }
            } catch {
                end = .failure(HTTPError(error))
            }
            queue.async { [end] in completion(request.failure.map { .failure($0) } ?? end) }
        }
        return self
    }

    /// Begins to read. Only the first iterator of a stream gets its events.
    public func makeAsyncIterator() -> Iterator { Iterator(lease: EventLease(self)) }

    /// Reads the events. Releasing it before the end closes the connection.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        let lease: EventLease
        private var events: [ServerSentEvent] = []
        private var position = 0

        init(lease: EventLease) { self.lease = lease }

        /// Asks for the next event and waits for it; nil after the last one. Cancelling the task ends the stream. Leaves the
        /// caller's actor only where it has to wait.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> ServerSentEvent? {
            // After a cancel the events that came with the last one are dropped.
            if position >= events.count || lease.isCancelled {
                position = 0
                events = []
                guard let next = try await lease.next() else { return nil }
                events = next
            }
            guard position < events.count else { return nil }
            defer { position += 1 }
            return events[position]
        }

        /// The next event; nil after the last one.
        public mutating func next() async throws -> ServerSentEvent? { try await next(isolation: nil) }
    }
}
