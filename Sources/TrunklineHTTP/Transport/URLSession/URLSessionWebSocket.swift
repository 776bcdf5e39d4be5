#if canImport(Darwin)
    import Foundation

    /// A WebSocket of the system's `URLSession`. The toolchain's `URLSession` on Linux has none that works, so the transport
    /// refuses there.
    ///
    /// Opens with the delegate's word, ends with the task's completion, once.
    final class URLSessionWebSocket: NSObject, WebSocketLink, URLSessionWebSocketDelegate {
        typealias Waiter = CheckedContinuation<WebSocketAnswer, any Error>

        private struct State: Sendable {
            var waiter: Waiter?
            var task: URLSessionWebSocketTask?
            var closure: WebSocketClosure?
            var failure: HTTPError?
            var isClosing = false
            var isOpen = false
        }

        private let exchange: Exchange
        private let closeTimeout: Duration
        private let state = Protected(State())
        private let end = LatePromise<WebSocketClosure>()

        private init(exchange: Exchange, options: WebSocketOptions) {
            self.exchange = exchange
            closeTimeout = options.closeTimeout
        }

        static func open(
            _ exchange: Exchange, options: WebSocketOptions, configuration: URLSessionConfiguration
        ) async throws -> WebSocketAnswer {
            let socket = URLSessionWebSocket(exchange: exchange, options: options)
            let request = try socket.request(options)
            let session = URLSession(
                configuration: URLSessionPlatform.isolated(configuration), delegate: socket, delegateQueue: nil)
            let task = session.webSocketTask(with: request)
            task.maximumMessageSize = max(1, options.maximumMessageBytes)
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    let failure: HTTPError? = socket.state.withLock { state in
                        if state.failure == nil { (state.waiter, state.task) = (continuation, task) }
                        return state.failure
                    }
                    if let failure {
                        task.cancel()
                        continuation.resume(throwing: failure)
                    } else {
                        task.resume()
                    }
                    // The task keeps the session, and the session the delegate, until the task has ended.
                    session.finishTasksAndInvalidate()
                }
            } onCancel: {
                socket.abort(.cancelled)
            }
        }

        private func request(_ options: WebSocketOptions) throws(HTTPError) -> URLRequest {
            let text = exchange.request.url.absoluteString
            guard text.lowercased().hasPrefix("http"), let url = URL(string: "ws" + text.dropFirst(4)) else {
                throw .invalidRequest(.url(text, reason: "it can't be made a WebSocket's URL"))
            }
            var request = URLRequest(url: url)
            request.timeoutInterval = exchange.timeouts.idle?.seconds ?? URLSessionPlatform.noTimeout
            request.httpShouldHandleCookies = false
            for field in exchange.request.headers { request.addValue(field.value, forHTTPHeaderField: field.name) }
            if !options.protocols.isEmpty {
                request.setValue(
                    options.protocols.joined(separator: ", "), forHTTPHeaderField: "Sec-WebSocket-Protocol")
            }
            return request
        }

        // MARK: - The user's side

        var isClosing: Bool { state.withLock { $0.isClosing || $0.closure != nil || $0.failure != nil } }

        func send(_ message: WebSocketMessage) async throws {
            let task = try openTask()
            let message: URLSessionWebSocketTask.Message =
                switch message {
                case .text(let text): .string(text)
                case .binary(let data): .data(data)
                }
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                task.send(message) { [self] error in
                    if let error { continuation.resume(throwing: failure(error)) } else { continuation.resume() }
                }
            }
        }

        func receive() async throws -> WebSocketMessage? {
            guard let task = state.withLock({ $0.task }) else { return try await ended() }
            let received: Result<URLSessionWebSocketTask.Message, any Error> = await withCheckedContinuation {
                continuation in
                task.receive { continuation.resume(returning: $0) }
            }
            switch received {
            case .success(.string(let text)): return .text(text)
            case .success(.data(let data)): return .binary(data)
            case .success: return nil
            case .failure: return try await ended()
            }
        }

        func ping() async throws -> Duration {
            let task = try openTask()
            let start = ContinuousClock.now
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                task.sendPing { [self] error in
                    if let error { continuation.resume(throwing: failure(error)) } else { continuation.resume() }
                }
            }
            return ContinuousClock.now - start
        }

        func close(code: WebSocketCloseCode, reason: String) {
            let task = state.withLock { state in
                state.isClosing = true
                return state.task
            }
            let known = URLSessionWebSocketTask.CloseCode(rawValue: Int(code.rawValue)) ?? .normalClosure
            task?.cancel(with: known, reason: reason.isEmpty ? nil : Data(reason.utf8))
            DispatchQueue.global().asyncAfter(deadline: .now() + closeTimeout.seconds) { [weak self] in
                self?.finish(.success(WebSocketClosure(code: nil)))
            }
        }

        func abort(_ error: HTTPError) { finish(.failure(error)) }

        func waitForEnd() async -> Result<WebSocketClosure, HTTPError> { await end.wait() }

        private func openTask() throws(HTTPError) -> URLSessionWebSocketTask {
            let (task, failure) = state.withLock { ($0.isClosing ? nil : $0.task, $0.failure) }
            if let failure { throw failure }
            guard let task else {
                throw .webSocket(
                    WebSocketFailure(reason: .closed, detail: "it is closed, or about to be, and can't send"))
            }
            return task
        }

        private func ended() async throws -> WebSocketMessage? {
            _ = try await end.wait().get()
            return nil
        }

        private func failure(_ error: any Error) -> HTTPError {
            state.withLock { $0.failure }
                ?? URLSessionErrors.map(
                    error, host: exchange.request.url.host ?? "",
                    partial: HTTPResponse(request: exchange.request, statusCode: 101))
        }

        private func finish(_ outcome: Result<WebSocketClosure, HTTPError>) {
            let (waiter, task) = state.withLock { state -> (Waiter?, URLSessionWebSocketTask?) in
                if case .failure(let error) = outcome, state.failure == nil { state.failure = error }
                if case .success(let closure) = outcome { state.closure = state.closure ?? closure }
                state.isClosing = true
                defer { (state.waiter, state.task) = (nil, nil) }
                return (state.waiter, state.task)
            }
            if case .failure(let error) = outcome { waiter?.resume(throwing: error) }
            if case .success = outcome { waiter?.resume(throwing: HTTPError.cancelled) }
            task?.cancel()
            end.settle(outcome)
        }

        // MARK: - What the delegate hears

        func urlSession(
            _ session: URLSession, webSocketTask: URLSessionWebSocketTask, didOpenWithProtocol chosen: String?
        ) {
            let head = webSocketTask.response as? HTTPURLResponse
            let response = HTTPResponse(
                request: exchange.request, statusCode: 101,
                headers: head.map { URLSessionPlatform.headers(of: $0) } ?? [:])
            let waiter = state.withLock { state in
                state.isOpen = true
                defer { state.waiter = nil }
                return state.waiter
            }
            waiter?.resume(returning: WebSocketAnswer(response: response, link: self, subprotocol: chosen))
        }

        func urlSession(
            _ session: URLSession, webSocketTask: URLSessionWebSocketTask,
            didCloseWith closeCode: URLSessionWebSocketTask.CloseCode, reason: Data?
        ) {
            let code = UInt16(exactly: closeCode.rawValue).flatMap { $0 == 0 ? nil : WebSocketCloseCode($0) }
            finish(
                .success(
                    WebSocketClosure(
                        code: code ?? .noStatus, reason: reason.map { String(decoding: $0, as: UTF8.self) } ?? "")))
        }

        func urlSession(
            _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
            newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
        ) {
            completionHandler(nil)
        }

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            let (waiter, isClosing) = state.withLock { state -> (Waiter?, Bool) in
                guard let head = task.response as? HTTPURLResponse, head.statusCode != 101 else {
                    return (nil, state.isClosing)
                }
                defer { state.waiter = nil }
                return (state.waiter, state.isClosing)
            }
            if let waiter, let head = task.response as? HTTPURLResponse {
                // Refused; the system keeps the content to itself.
                let response = HTTPResponse(
                    request: exchange.request, statusCode: head.statusCode,
                    headers: URLSessionPlatform.headers(of: head))
                waiter.resume(returning: WebSocketAnswer(response: response))
                return finish(.failure(.cancelled))
            }
            if isClosing { return finish(.success(WebSocketClosure(code: nil))) }
            let isOpen = state.withLock { $0.isOpen }
            let partial = isOpen ? HTTPResponse(request: exchange.request, statusCode: 101) : nil
            finish(
                .failure(URLSessionErrors.map(error, host: exchange.request.url.host ?? "", partial: partial)))
        }
    }

    extension URLSessionTransport {
        /// Opens a WebSocket of the system's; see ``Transport/openWebSocket(_:options:)``. ``WebSocketOptions/keepAlive`` is
        /// not there.
        public func openWebSocket(_ exchange: Exchange, options: WebSocketOptions) async throws -> WebSocketAnswer {
            if options.keepAlive != nil {
                throw HTTPError.unsupported(feature: "WebSocketOptions.keepAlive", platform: "URLSession")
            }
            return try await URLSessionWebSocket.open(exchange, options: options, configuration: configuration)
        }
    }
#endif
