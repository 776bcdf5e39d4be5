/// Executes requests: ``SessionManager`` over the network, a stand-in of a few lines in a test.
public protocol Requester: Sendable {
    /// Executes a request and calls `response` once with the value or the error, on the request's
    /// ``Request/responseQueue``, never from inside this call.
    ///
    /// - Returns: what cancels the request. After a cancel on the response queue, nothing but
    ///   ``HTTPError/cancelled`` arrives.
    @discardableResult
    func execute<R: Request>(
        _ request: R, response: @escaping @Sendable (Result<R.Response, HTTPError>) -> Void
    ) -> RequestHandle
}

extension Requester {
    /// Executes a request and waits for its value. Cancelling the waiting task cancels the request.
    public func execute<R: Request>(_ request: R) async throws(HTTPError) -> R.Response {
        try await AwaitedCallback.value(cancelled: HTTPError.cancelled) { execute(request, response: $0) }
    }
}

extension SessionManager: Requester {
    @discardableResult
    public func execute<R: Request>(
        _ request: R, response: @escaping @Sendable (Result<R.Response, HTTPError>) -> Void
    ) -> RequestHandle {
        let parser = request.requestParser
        let handle = self.request(request.requestFactory).resume()
            .onDecoded(
                on: request.responseQueue, { answer throws(HTTPError) in try parser(answer) }, response)
        return RequestHandle(handle)
    }
}
