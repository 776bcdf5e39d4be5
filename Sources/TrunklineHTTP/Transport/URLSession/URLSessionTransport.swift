import Foundation

/// The transport on the system's `URLSession`: the default on Apple platforms, the fallback elsewhere.
///
/// Uses delegate-driven tasks only. The session stores no cookies, credentials or responses, follows no redirects and
/// answers no challenges: the pipeline's stages own all of that. A server that asks for credentials gets none, and the
/// 401 is the response.
///
/// On Linux the toolchain's `URLSession` lacks metrics, trailers, backpressure and a connect limit, refuses IPv6
/// literals, has no WebSockets, buffers streams without bound, and takes encoded content that ends early for whole; ``capabilities`` says so.
public final class URLSessionTransport: Transport {
    /// Nil once invalidated: on Linux its connections close only when the last reference goes.
    private let session: Protected<URLSession?>
    private let delegate: URLSessionTransportDelegate
    /// A copy, for the sessions of WebSockets.
    let configuration: URLSessionConfiguration

    /// Makes a transport with a `URLSession` of its own.
    ///
    /// - Parameter configuration: copied; cookie, credential and response storage are switched off in the copy.
    public init(configuration: URLSessionConfiguration = .ephemeral) {
        let delegate = URLSessionTransportDelegate()
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        queue.name = "trunkline.urlsession"
        self.delegate = delegate
        self.configuration = URLSessionPlatform.isolated(configuration)
        session = Protected(
            URLSession(configuration: self.configuration, delegate: delegate, delegateQueue: queue))
    }

    deinit { invalidate() }

    public var capabilities: TransportCapabilities { URLSessionPlatform.capabilities }

    public func send(_ exchange: Exchange) async throws -> HTTPResponse {
        try URLSessionPlatform.checkSupport(exchange.request)
        let transfer = URLSessionTransfer(exchange: exchange)
        return try await withTaskCancellationHandler {
            let upload = try await URLSessionUpload.prepare(exchange.request.body)
            defer { upload.discard() }
            var request = urlRequest(for: exchange)
            try upload.apply(to: &request, of: transfer)
            return try await withCheckedThrowingContinuation { [request] continuation in
                guard transfer.begin(continuation) else { return }
                start(request, upload: upload, transfer: transfer)
            }
        } onCancel: {
            transfer.fail(.cancelled)
        }
    }

    public func invalidate() {
        for transfer in delegate.close() { transfer.fail(.sessionInvalidated) }
        let invalidated = session.withLock { session in
            defer { session = nil }
            return session
        }
        invalidated?.invalidateAndCancel()
    }

    // MARK: - Tasks

    private func start(_ request: URLRequest, upload: URLSessionUpload, transfer: URLSessionTransfer) {
        // Asking an invalidated URLSession for a task traps on some platforms, so the task is made while the lock keeps
        // `invalidate` waiting.
        let task: URLSessionTask? = session.withLock { session in
            guard let session else { return nil }
            return delegate.register(transfer) { upload.task(for: request, in: session) }
        }
        guard let task else { return transfer.fail(.sessionInvalidated) }
        transfer.attach(task)
        task.resume()
    }

    private func urlRequest(for exchange: Exchange) -> URLRequest {
        var request = URLRequest(url: exchange.request.url)
        request.httpMethod = exchange.request.method.rawValue
        request.cachePolicy = .reloadIgnoringLocalCacheData
        request.httpShouldHandleCookies = false
        request.timeoutInterval = exchange.timeouts.idle?.seconds ?? URLSessionPlatform.noTimeout
        for field in exchange.request.headers { request.addValue(field.value, forHTTPHeaderField: field.name) }
        return request
    }
}
