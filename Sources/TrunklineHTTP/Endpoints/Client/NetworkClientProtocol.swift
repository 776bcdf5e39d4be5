import Foundation

/// What a ``NetworkClient`` does, so that code that uses one can be given something else in a test.
///
/// Every call ends in exactly one completion on the main actor, never from inside the call. The awaited forms come with
/// the protocol.
@MainActor
public protocol NetworkClientProtocol: AnyObject {
    /// Hears how far a transfer is.
    typealias ProgressHandler = @MainActor (TransferProgress) -> Void
    /// Hears how a call ended.
    typealias Completion<Value> = @MainActor (Result<Value, NetworkError>) -> Void

    /// The calls that have not ended.
    var runningTasks: [RunningTask] { get }

    /// Sends a request and decodes the JSON of its answer.
    @discardableResult
    func execute<Model: Decodable & Sendable>(
        _ request: any RequestProtocol, progress: ProgressHandler?, model: Model.Type,
        completion: @escaping Completion<Model>
    ) -> RequestHandle

    /// Sends a request and gives the whole answer.
    @discardableResult
    func execute(
        _ request: any RequestProtocol, progress: ProgressHandler?, completion: @escaping Completion<HTTPResponse>
    ) -> RequestHandle

    /// Sends a request with content and decodes the JSON of its answer.
    @discardableResult
    func upload<Model: Decodable & Sendable>(
        _ request: any RequestProtocol, content: UploadContent, progress: ProgressHandler?, model: Model.Type,
        completion: @escaping Completion<Model>
    ) -> RequestHandle

    /// Receives the content of an answer into a file.
    @discardableResult
    func download(
        _ request: any RequestProtocol, progress: ProgressHandler?, to destination: URL?,
        completion: @escaping Completion<URL>
    ) -> RequestHandle

    /// Receives the content of any URL into a file.
    @discardableResult
    func download(
        from url: URL, progress: ProgressHandler?, to destination: URL?, completion: @escaping Completion<URL>
    ) -> RequestHandle

    /// Cancels the calls of a request that are under way.
    func cancel(request: any RequestProtocol, completion: (@MainActor (Int) -> Void)?)
}

/// The same, awaited. Cancelling the waiting task cancels the call. A trailing closure is always a completion, never a
/// progress handler, so that the two forms can't be mistaken for each other.
extension NetworkClientProtocol {
    /// Sends a request and decodes the JSON of its answer.
    public func execute<Model: Decodable & Sendable>(
        _ request: any RequestProtocol, progress: ProgressHandler? = nil, model: Model.Type
    ) async throws(NetworkError) -> Model {
        try await AwaitedCallback.value(cancelled: NetworkError.cancelled) { completion in
            execute(request, progress: progress, model: model, completion: completion)
        }
    }

    /// Sends a request and decodes the JSON of its answer into the type that is expected:
    /// `let posts: [Post] = try await client.execute(request)`.
    public func execute<Model: Decodable & Sendable>(
        _ request: any RequestProtocol
    ) async throws(NetworkError) -> Model {
        try await execute(request, model: Model.self)
    }

    /// Sends a request and gives the whole answer: status, header fields and content.
    @discardableResult
    public func response(
        to request: any RequestProtocol, progress: ProgressHandler? = nil
    ) async throws(NetworkError) -> HTTPResponse {
        try await AwaitedCallback.value(cancelled: NetworkError.cancelled) { completion in
            execute(request, progress: progress, completion: completion)
        }
    }

    /// Sends a request with content and decodes the JSON of its answer.
    public func upload<Model: Decodable & Sendable>(
        _ request: any RequestProtocol, content: UploadContent, progress: ProgressHandler? = nil, model: Model.Type
    ) async throws(NetworkError) -> Model {
        try await AwaitedCallback.value(cancelled: NetworkError.cancelled) { completion in
            upload(request, content: content, progress: progress, model: model, completion: completion)
        }
    }

    /// Receives the content of an answer into a file and gives its place.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - progress: hears how far the content is.
    ///   - destination: where the file goes; nil for a new file in the temporary directory, the caller's to remove.
    public func download(
        _ request: any RequestProtocol, progress: ProgressHandler? = nil, to destination: URL?
    ) async throws(NetworkError) -> URL {
        try await AwaitedCallback.value(cancelled: NetworkError.cancelled) { completion in
            download(request, progress: progress, to: destination, completion: completion)
        }
    }

    /// Receives the content of any URL into a file and gives its place.
    ///
    /// - Parameters:
    ///   - url: the URL; see ``NetworkClient/download(from:progress:to:completion:)``.
    ///   - progress: hears how far the content is.
    ///   - destination: where the file goes; nil for a new file in the temporary directory, the caller's to remove.
    public func download(
        from url: URL, progress: ProgressHandler? = nil, to destination: URL?
    ) async throws(NetworkError) -> URL {
        try await AwaitedCallback.value(cancelled: NetworkError.cancelled) { completion in
            download(from: url, progress: progress, to: destination, completion: completion)
        }
    }

    /// Cancels the calls of a request that are under way, and returns when their completions have run.
    ///
    /// - Returns: how many there were.
    @discardableResult
    public func cancel(request: any RequestProtocol) async -> Int {
        await withCheckedContinuation { continuation in
            cancel(request: request) { continuation.resume(returning: $0) }
        }
    }
}
