import Foundation

/// One exchange on `URLSession`: collects what the delegate hears and resumes its waiter exactly once.
final class URLSessionTransfer: Sendable {
    typealias Waiter = CheckedContinuation<HTTPResponse, any Error>

    private enum Phase: Sendable {
        case new
        case waiting(Waiter)
        /// The head was handed out; the rest goes into the stream.
        case streaming(ResponseBody.Chunks.Continuation)
        case ended
    }

    private struct State: Sendable {
        var phase = Phase.new
        var failureBeforeBegin: HTTPError?
        var task: URLSessionTask?
        var head: HTTPResponse?
        var received = Data()
        var receivedCount: Int64 = 0
        var total: Int64?
        var sink: FileSink?
        var refusedChallenge = false
        var bodyFile: (url: URL, length: Int64)?
        var bodyFailure: HTTPError?
    }

    private let exchange: Exchange
    private let state = Protected(State())

    init(exchange: Exchange) { self.exchange = exchange }

    /// Takes the waiter; false (and the waiter resumed) when the exchange was cancelled already.
    func begin(_ waiter: Waiter) -> Bool {
        let failure: HTTPError? = state.withLock { state in
            if let failure = state.failureBeforeBegin { return failure }
            state.phase = .waiting(waiter)
            return nil
        }
        if let failure { waiter.resume(throwing: failure) }
        return failure == nil
    }

    /// Takes the task, and cancels it where the exchange has ended meanwhile.
    func attach(_ task: URLSessionTask) {
        let isOver = state.withLock { state in
            state.task = task
            if case .ended = state.phase { return true }
            return false
        }
        if isOver { task.cancel() }
    }

    // MARK: - What the delegate hears

    func sentBody(_ count: Int64, of total: Int64) {
        let total = total > 0 ? total : exchange.request.body?.contentLength
        // A body that is sent again is counted on.
        exchange.progress?.sent?(TransferProgress(completed: min(count, total ?? count), total: total))
    }

    func refuseChallenge() { state.withLock { $0.refusedChallenge = true } }

    /// Takes the head. Returns false when the body can't be taken and the task should stop.
    func receive(_ response: HTTPURLResponse) -> Bool {
        let head = HTTPResponse(
            request: exchange.request, statusCode: response.statusCode,
            headers: URLSessionPlatform.headers(of: response))
        var sink: FileSink?
        if case .file(let url) = exchange.request.options.delivery {
            do {
                sink = try FileSink(url)
            } catch {
                fail(error)
                return false
            }
        }
        let isCoded = head.headers.contains("Content-Encoding")
        let waiter: (Waiter, HTTPResponse)? = state.withLock { state in
            state.head = head
            state.sink = sink
            state.received = Data()
            state.receivedCount = 0
            state.total = isCoded || response.expectedContentLength < 0 ? nil : response.expectedContentLength
            guard case .stream = exchange.request.options.delivery, case .waiting(let waiter) = state.phase else {
                return nil
            }
            let (chunks, continuation) = ResponseBody.Chunks.makeStream()
            continuation.onTermination = { [weak self] _ in self?.fail(.cancelled) }
            state.phase = .streaming(continuation)
            var streamed = head
            streamed.body = .stream(chunks)
            return (waiter, streamed)
        }
        if let (waiter, streamed) = waiter { waiter.resume(returning: streamed) }
        return true
    }

    func receive(_ data: Data) {
        let step: (FileSink?, ResponseBody.Chunks.Continuation?, TransferProgress) = state.withLock { state in
            state.receivedCount += Int64(data.count)
            let progress = TransferProgress(completed: state.receivedCount, total: state.total)
            if case .streaming(let continuation) = state.phase { return (nil, continuation, progress) }
            if let sink = state.sink { return (sink, nil, progress) }
            state.received.append(data)
            return (nil, nil, progress)
        }
        if let continuation = step.1 { continuation.yield(data) }
        if let sink = step.0 {
            do {
                try sink.write(data)
            } catch {
                return fail(error)
            }
        }
        exchange.progress?.received?(step.2)
    }

    func complete(_ error: (any Error)?) {
        let (head, data, sink, refused, bodyFailure) = state.withLock {
            ($0.head, $0.received, $0.sink, $0.refusedChallenge, $0.bodyFailure)
        }
        // The challenge was refused on purpose; what came with it is the answer.
        let isAnswer = error == nil || (refused && head?.statusCode == 401)
        guard isAnswer, var response = head else {
            sink?.discard()
            if let bodyFailure { return fail(bodyFailure) }
            let partial = head.map { head in
                var partial = head
                partial.body = .data(data)
                return partial
            }
            return fail(URLSessionErrors.map(error, host: exchange.request.url.host ?? "", partial: partial))
        }
        do {
            try sink?.close()
        } catch {
            return fail(error)
        }
        response.body = sink.map { .file($0.url) } ?? .data(data)
        finish(.success(response))
    }

    /// Ends the exchange; without effect when it has ended.
    func fail(_ error: HTTPError) { finish(.failure(error)) }

    private func finish(_ outcome: Result<HTTPResponse, HTTPError>) {
        let (phase, task, sink): (Phase, URLSessionTask?, FileSink?) = state.withLock { state in
            let phase = state.phase
            if case .new = phase, case .failure(let error) = outcome { state.failureBeforeBegin = error }
            state.phase = .ended
            let sink = state.sink
            state.sink = nil
            return (phase, state.task, sink)
        }
        switch phase {
        case .new, .ended:
            break
        case .waiting(let waiter):
            waiter.resume(with: outcome.mapError { $0 })
        case .streaming(let continuation):
            switch outcome {
            case .success: continuation.finish()
            case .failure(let error): continuation.finish(throwing: error)
            }
        }
        if case .failure = outcome {
            sink?.discard()
            task?.cancel()
        }
    }
}

#if canImport(FoundationNetworking)
    extension URLSessionTransfer {
        /// The file as a stream, and as a new one from ``newBodyStream()`` when it has to be sent again.
        func bodyStream(of file: URL, length: Int64) throws(HTTPError) -> InputStream {
            state.withLock { $0.bodyFile = (file, length) }
            // Only noted here: cancelling the task waits for the queue the stream is read on.
            return try URLSessionFileStream(url: file, length: length) { [weak self] failure in
                self?.state.withLock { $0.bodyFailure = failure }
            }
        }

        func newBodyStream() -> InputStream? {
            guard let file = state.withLock({ $0.bodyFile }) else { return nil }
            return try? bodyStream(of: file.url, length: file.length)
        }
    }
#endif
