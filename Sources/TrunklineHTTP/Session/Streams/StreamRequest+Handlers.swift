import Foundation

extension StreamRequest {
    /// Calls `handler` once with the head of the response, or with the error that ended the request before. Comes before the
    /// chunks of a chunk handler on the same serial queue. After ``cancel()`` was called there, the handler hears
    /// ``HTTPError/cancelled``.
    ///
    /// - Parameters:
    ///   - queue: where the handler runs; by default the main queue.
    ///   - handler: hears the head, whose body is empty.
    @discardableResult
    public func onHead(
        on queue: DispatchQueue = .main, _ handler: @escaping @Sendable (Result<HTTPResponse, HTTPError>) -> Void
    ) -> Self {
        let request = request
        body.head.whenSettled { head in
            // A cancel meanwhile wins.
            queue.async { handler(request.failure.map { .failure($0) } ?? head) }
        }
        return self
    }

    /// Reads the content: calls `handler` with each chunk, in order, one after the other, then `completion` once.
    ///
    /// The next chunk is asked for when the handler has returned, so a slow handler slows the server down. After
    /// ``cancel()`` was called on `queue`, nothing comes but the completion, with ``HTTPError/cancelled``. The stream
    /// keeps itself alive until its end.
    ///
    /// - Parameters:
    ///   - queue: where both run; by default the main queue.
    ///   - handler: hears the chunks.
    ///   - completion: hears that the content was complete, with the trailer fields, or why it is not.
    @discardableResult
    public func onChunk(
        on queue: DispatchQueue = .main, _ handler: @escaping @Sendable (Data) -> Void,
        completion: @escaping @Sendable (Result<HTTPHeaders, HTTPError>) -> Void = { _ in }
    ) -> Self {
        // Claimed at once, so that the stream isn't taken for abandoned.
        let iterator = chunks.makeAsyncIterator()
        let (request, body) = (request, body)
        Task {
            var iterator = iterator
            var end: Result<HTTPHeaders, HTTPError>
            do {
                while let chunk = try await iterator.next() {
                    await withCheckedContinuation { continuation in
                        queue.async {
                            if !request.isFinished { handler(chunk) }
                            continuation.resume()
                        }
                    }
                }
                end = .success(body.trailers)
            } catch {
                end = .failure(HTTPError(error))
            }
            queue.async { [end] in completion(request.failure.map { .failure($0) } ?? end) }
        }
        return self
    }
}
