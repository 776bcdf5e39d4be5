import Foundation

/// Routes the session's events to their transfers. Called on the session's serial delegate queue.
final class URLSessionTransportDelegate: NSObject, URLSessionDataDelegate, Sendable {
    private struct State: Sendable {
        var transfers: [Int: URLSessionTransfer] = [:]
        var isClosed = false
    }

    private let state = Protected(State())

    /// Makes a task and enters its transfer before any event of it can come; nil when the session is over.
    func register(_ transfer: URLSessionTransfer, make: () -> URLSessionTask) -> URLSessionTask? {
        state.withLock { state in
            guard !state.isClosed else { return nil }
            let task = make()
            state.transfers[task.taskIdentifier] = transfer
            return task
        }
    }

    /// Refuses transfers from now on and returns those in flight.
    func close() -> [URLSessionTransfer] {
        state.withLock { state in
            state.isClosed = true
            defer { state.transfers = [:] }
            return Array(state.transfers.values)
        }
    }

    private func transfer(_ task: URLSessionTask) -> URLSessionTransfer? {
        state.withLock { $0.transfers[task.taskIdentifier] }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        guard let transfer = transfer(dataTask) else { return completionHandler(.cancel) }
        guard let response = response as? HTTPURLResponse else {
            transfer.fail(.invalidResponse(reason: "the answer is not an HTTP response"))
            return completionHandler(.cancel)
        }
        completionHandler(transfer.receive(response) ? .allow : .cancel)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        transfer(dataTask)?.receive(data)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        transfer(task)?.sentBody(totalBytesSent, of: totalBytesExpectedToSend)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        // The redirect stage follows; here the redirect response is the answer.
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let disposition = URLSessionPlatform.disposition(for: challenge)
        if disposition == .cancelAuthenticationChallenge { transfer(task)?.refuseChallenge() }
        completionHandler(disposition, nil)
    }

    #if canImport(FoundationNetworking)
        /// Called in the middle of an upload whose connection was lost, where it can be made anew: what was sent counts for
        /// nothing then.
        func urlSession(
            _ session: URLSession, task: URLSessionTask,
            needNewBodyStream completionHandler: @escaping (InputStream?) -> Void
        ) {
            completionHandler(transfer(task)?.newBodyStream())
        }
    #endif

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let transfer = state.withLock { $0.transfers.removeValue(forKey: task.taskIdentifier) }
        transfer?.complete(error)
    }
}
