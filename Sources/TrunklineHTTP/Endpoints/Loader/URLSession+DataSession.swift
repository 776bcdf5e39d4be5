import Foundation

extension URLSession: DataSession {
    /// Sends the request with this very session, its delegate and configuration included: nothing of the library's
    /// pipeline takes part but the checks before sending.
    ///
    /// What the platform's session gets wrong stays wrong here, and on Linux that is much: redirects carry credentials to
    /// other hosts, and a 401 with a Basic challenge never arrives. So that every call ends, a timer of the library's keeps
    /// the request's `total` limit; without one, on Linux, ten times its idle limit. ``SessionManager`` has none of these
    /// faults.
    @discardableResult
    public func getData(
        with request: HTTPRequest, completion: @escaping @Sendable (Result<HTTPResponse, HTTPError>) -> Void
    ) -> RequestHandle {
        let call = URLSessionCall(request, completion)
        do {
            let task = dataTask(with: try request.urlRequest()) { call.end(data: $0, response: $1, error: $2) }
            call.start(task)
        } catch {
            DispatchQueue.global().async { call.end(.failure(error)) }
        }
        return RequestHandle { call.end(.failure(.cancelled)) }
    }
}

/// One such call: ends once, by its task, its limit or a cancel.
private final class URLSessionCall: Sendable {
    typealias Completion = @Sendable (Result<HTTPResponse, HTTPError>) -> Void

    private struct State: Sendable {
        var completion: Completion?
        var task: URLSessionDataTask?
    }

    private let request: HTTPRequest
    private let state: Protected<State>

    init(_ request: HTTPRequest, _ completion: @escaping Completion) {
        self.request = request
        state = Protected(State(completion: completion))
    }

    func start(_ task: URLSessionDataTask) {
        state.withLock { $0.task = task }
        task.resume()
        let timeouts = request.options.timeouts
        guard let limit = timeouts?.total ?? URLSessionPlatform.backstop(idle: timeouts?.idle) else { return }
        DispatchQueue.global().asyncAfter(deadline: .now() + limit.seconds) { [weak self] in
            self?.end(.failure(.timedOut(.total)))
        }
    }

    func end(data: Data?, response: URLResponse?, error: (any Error)?) {
        let answer = (response as? HTTPURLResponse).map { http in
            var answered = request
            if let url = http.url { answered.url = url }
            return HTTPResponse(
                request: answered, statusCode: http.statusCode, headers: URLSessionPlatform.headers(of: http),
                body: .data(data ?? Data()))
        }
        if error == nil, let answer { return end(.success(answer)) }
        if error == nil, response != nil {
            return end(.failure(.invalidResponse(reason: "the answer is not an HTTP response")))
        }
        end(.failure(URLSessionErrors.map(error, host: request.url.host ?? "", partial: answer)))
    }

    func end(_ outcome: Result<HTTPResponse, HTTPError>) {
        let (completion, task) = state.withLock { state in
            defer { state = State() }
            return (state.completion, state.task)
        }
        guard let completion else { return }
        if case .failure = outcome { task?.cancel() }
        DispatchQueue.global().async { completion(outcome) }
    }
}
