import Foundation

/// The way of a call, in the order the type's documentation promises.
extension NetworkClient {
    /// Enters a call and starts it.
    ///
    /// - Parameters:
    ///   - interpret: makes the value of the answer, off the main actor.
    ///   - conclude: the last step, on the main actor, not taken after a cancel.
    func start<Interim: Sendable, Value>(
        _ call: ClientCall, progress: ProgressHandler?,
        interpret: @escaping @Sendable (HTTPResponse) async throws -> Interim,
        conclude: @escaping @MainActor (Interim) throws(HTTPError) -> Value, completion: @escaping Completion<Value>
    ) -> RequestHandle {
        let task = ClientTask(
            task: RunningTask(
                id: .next(), kind: call.kind, baseURL: baseURL, request: APIRequest(copying: call.request)),
            progress: ProgressRelay(progress),
            onCancel: { task in
                // At once, however deep the work is stuck.
                Task { @MainActor in self.finish(task) { completion(.failure(.cancelled)) } }
            })
        tasks[task.task.id] = task
        task.attach(
            Task {
                defer { call.place?.discard() }
                do {
                    let interim = try await interpret(try await response(to: call, task))
                    if task.isCancelled { throw NetworkError.cancelled }
                    let value = try conclude(interim)
                    finish(task) { completion(.success(value)) }
                } catch {
                    finish(task) { completion(.failure(task.isCancelled ? .cancelled : NetworkError(error))) }
                }
            })
        return RequestHandle { task.cancel() }
    }

    /// Ends a call; without effect on one that has ended.
    private func finish(_ task: ClientTask, deliver: () -> Void) {
        guard tasks.removeValue(forKey: task.task.id) != nil else { return }
        task.progress.deliver()
        task.progress.close()
        deliver()
        task.signalEnd()
    }

    private func response(to call: ClientCall, _ task: ClientTask) async throws -> HTTPResponse {
        var request = try await build(call)
        if let content = call.content {
            let body = try await content.body()
            try request.setEncodedBody(body)
        }
        try request.refuseBodyOfSafeMethod()
        // The statuses are `mapResponse`'s to judge.
        if request.options.validation == nil { request.options.validation = .acceptAny }
        // A cancel during the steps before: nothing is sent.
        try Task.checkCancellation()
        let progress =
            call.kind == .upload
            ? ProgressObserver(sent: { task.progress.report($0) })
            : ProgressObserver(received: { task.progress.report($0) })
        var interceptors: [any Interceptor] = []
        if let place = call.place { interceptors.append(place) }
        if baseURL.isFileURL { interceptors.append(FixtureInterceptor(root: baseURL)) }
        return try await session.send(
            request, id: task.task.id, interceptors: interceptors, progress: progress)
    }

    func startDownload(
        _ request: any RequestProtocol, from url: URL? = nil, place: DownloadPlace, progress: ProgressHandler?,
        completion: @escaping Completion<URL>
    ) -> RequestHandle {
        start(
            ClientCall(request: request, kind: .download, place: place, url: url), progress: progress,
            interpret: { [self] in try mapResponse($0) },
            conclude: { _ throws(HTTPError) in try place.commit() }, completion: completion)
    }

    private func build(_ call: ClientCall) async throws -> HTTPRequest {
        guard let url = call.url else {
            return try buildRequest(call.request, token: try await token(for: call.request))
        }
        var request = HTTPRequest(url: url)
        request.options.timeouts = timeouts
        // What belongs to the backend stays with it.
        if Origin(url) == Origin(baseURL) {
            request.headers = buildHeaders(for: call.request, token: try await token(for: call.request))
        }
        return request
    }

    private func token(for request: any RequestProtocol) async throws -> HTTPHeaders {
        guard request.isAuthenticationNeeded, !baseURL.isFileURL, let provider = authTokenProvider else { return [:] }
        do {
            return try await provider.requestAuthToken()
        } catch {
            throw NetworkError.tokenUnavailable(error)
        }
    }
}
