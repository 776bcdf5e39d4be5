import Foundation

extension WebSocket {
    /// Calls `handler` once with the answer to the handshake, or with what ended the socket before.
    ///
    /// - Parameters:
    ///   - queue: where the handler runs; by default the main queue.
    ///   - handler: hears the answer.
    @discardableResult
    public func onOpen(
        on queue: DispatchQueue = .main, _ handler: @escaping @Sendable (Result<HTTPResponse, HTTPError>) -> Void
    ) -> Self {
        let request = request
        core.opened.whenSettled { opened in
            queue.async { handler(request.failure.map { .failure($0) } ?? opened.map(\.response)) }
        }
        return self
    }

    /// Reads the messages: calls `handler` with each, in order, one after the other, then `completion` once.
    ///
    /// The next message is taken when the handler has returned. After ``cancel()`` was called on `queue`, nothing comes but
    /// the completion, with ``HTTPError/cancelled``. The socket keeps itself alive until its end.
    ///
    /// - Parameters:
    ///   - queue: where both run; by default the main queue.
    ///   - handler: hears the messages.
    ///   - completion: hears how the server closed, or what ended the socket.
    @discardableResult
    public func onMessage(
        on queue: DispatchQueue = .main, _ handler: @escaping @Sendable (WebSocketMessage) -> Void,
        completion: @escaping @Sendable (Result<WebSocketClosure, HTTPError>) -> Void = { _ in }
    ) -> Self {
        Task { [self] in
            var end: Result<WebSocketClosure, HTTPError>
            do {
                for try await message in messages {
                    await withCheckedContinuation { continuation in
                        queue.async { [self] in
                            if request.failure == nil { handler(message) }
                            continuation.resume()
                        }
                    }
                }
                end = await core.end.wait()
            } catch {
                end = .failure(HTTPError(error))
            }
            queue.async { [end] in completion(end) }
        }
        return self
    }
}
