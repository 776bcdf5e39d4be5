import Foundation

/// Loads one request and decodes its answer: what a view model is given.
///
/// ```swift
/// let loader = APIRequestLoader(apiRequest: NetworkRequestConfigure(url: "https://example.com/top.json"))
/// let albums: [Album] = try await loader.loadRequest()
/// ```
///
/// Each load ends in exactly one completion, on ``queue``, never from inside the call, whatever the session does: an answer
/// given twice is taken once. After a cancel on the queue nothing arrives but ``NetworkError/cancelled``. Answers are
/// decoded off the queue.
public struct APIRequestLoader: Sendable {
    /// What is loaded.
    public let apiRequest: any APIRequestConfigure
    /// What loads it.
    public let session: any DataSession
    /// Decodes the answer.
    public let decoder: JSONDecoder
    /// Where completions run.
    public let queue: DispatchQueue

    /// Makes a loader.
    ///
    /// - Parameters:
    ///   - apiRequest: what is loaded.
    ///   - session: what loads it; by default the shared ``SessionManager``. `URLSession.shared` is another.
    ///   - decoder: decodes the answer.
    ///   - queue: where completions run; by default the main queue.
    public init(
        apiRequest: any APIRequestConfigure, session: any DataSession = SessionManager.default,
        decoder: JSONDecoder = JSONDecoder(), queue: DispatchQueue = .main
    ) {
        self.apiRequest = apiRequest
        self.session = session
        self.decoder = decoder
        self.queue = queue
    }

    /// Loads and decodes; an optional type accepts an empty answer.
    ///
    /// - Parameters:
    ///   - type: what the answer is.
    ///   - completion: hears the value or the error: ``NetworkError/invalidRequest(_:)`` when nothing could be sent, the
    ///     class of a status outside 200 to 299, ``NetworkError/noData(_:)``, ``NetworkError/undecodable(_:)`` with the
    ///     cause.
    @discardableResult
    public func loadRequest<Value: Decodable & Sendable>(
        _ type: Value.Type = Value.self, completion: @escaping @Sendable (Result<Value, NetworkError>) -> Void
    ) -> RequestHandle {
        let load = LoaderCall(queue: queue, completion)
        do {
            let request = try apiRequest.makeRequest()
            load.attach(
                session.getData(with: request) { outcome in
                    // Off the session's thread, and out of a session that answers at once.
                    DispatchQueue.global().async { load.end(decoded(outcome, as: type)) }
                })
        } catch {
            load.end(.failure(NetworkError(error)))
        }
        return RequestHandle { load.cancel() }
    }

    /// Loads, decodes and waits. Cancelling the waiting task cancels the load.
    public func loadRequest<Value: Decodable & Sendable>(
        _ type: Value.Type = Value.self
    ) async throws(NetworkError) -> Value {
        try await AwaitedCallback.value(cancelled: NetworkError.cancelled) { completion in
            loadRequest(type, completion: completion)
        }
    }

    private func decoded<Value: Decodable>(
        _ outcome: Result<HTTPResponse, HTTPError>, as type: Value.Type
    ) -> Result<Value, NetworkError> {
        do {
            let response = try outcome.get()
            if let error = NetworkError(status: response) { return .failure(error) }
            return .success(try response.decode(type, using: decoder))
        } catch {
            return .failure(NetworkError(error))
        }
    }
}

/// One load: ends once, by its answer or by a cancel.
private final class LoaderCall<Value: Sendable>: Sendable {
    typealias Completion = @Sendable (Result<Value, NetworkError>) -> Void

    private struct State: Sendable {
        var completion: Completion?
        var handle: RequestHandle?
        var isCancelled = false
    }

    private let queue: DispatchQueue
    private let state: Protected<State>

    init(queue: DispatchQueue, _ completion: @escaping Completion) {
        self.queue = queue
        state = Protected(State(completion: completion))
    }

    func attach(_ handle: RequestHandle) {
        let isCancelled = state.withLock { state in
            if state.completion != nil { state.handle = handle }
            return state.isCancelled
        }
        if isCancelled { handle.cancel() }
    }

    func cancel() {
        let handle = state.withLock { state in
            state.isCancelled = true
            return state.handle
        }
        handle?.cancel()
        end(.failure(.cancelled))
    }

    /// Delivers the first outcome there is when the queue gets to it; a cancel until then wins.
    func end(_ outcome: Result<Value, NetworkError>) {
        queue.async { [self] in
            let (completion, isCancelled) = state.withLock { state in
                defer {
                    state.completion = nil
                    state.handle = nil
                }
                return (state.completion, state.isCancelled)
            }
            completion?(isCancelled ? .failure(.cancelled) : outcome)
        }
    }
}
