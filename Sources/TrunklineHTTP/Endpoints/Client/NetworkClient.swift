import Foundation

/// A client of one backend that sends requests given as values: ``APIRequest``, or a type of the app's that conforms to
/// ``RequestProtocol``.
///
/// ```swift
/// let client = try NetworkClient(baseURL: "https://api.example.com/v1")
/// let posts = try await client.execute(APIRequest(path: "posts"), model: [Post].self)
/// ```
///
/// A call goes through these steps, each of which a subclass may override:
///
/// 1. the token, from ``authTokenProvider``, where the request needs one
/// 2. ``buildRequest(_:token:)``: ``buildURL(for:)``, ``configureParameters(of:into:)``,
///    ``buildHeaders(for:token:)``
/// 3. the session's pipeline
/// 4. ``mapResponse(_:)``, off the main actor
/// 5. ``decode(_:from:)``, off the main actor
///
/// Every call ends in exactly one completion, on the main actor, later than the call returns; a step that fails ends it
/// with its error. After a cancel on the main actor nothing arrives but ``NetworkError/cancelled``. The client lives until
/// its calls have ended, also when its owner has let go of it. Progress is in order, never after the completion; values
/// the main actor has no time for are left out, the last one before a success is not.
///
/// A `file:` base URL answers from files, for previews and tests: it is a directory, and a request is answered by the file
/// at its path, with or without `.json` after it, inside the directory only. A base URL that is a file answers the empty
/// path. No token is asked for.
@MainActor
open class NetworkClient: NetworkClientProtocol {
    /// What paths are relative to; `http`, `https` or `file`.
    public nonisolated let baseURL: URL
    /// Sends the requests.
    public nonisolated let session: SessionManager
    /// Decodes answers.
    public nonisolated let decoder: JSONDecoder

    /// Header fields of every request, over the session's; a token's, a request's and its extra ones win over them.
    open var headers: HTTPHeaders = [:]
    /// The limits of requests that set none; by default 10 s of silence.
    open var timeouts = Timeouts(idle: .seconds(10))
    /// Supplies the token of requests that need authentication; by default nil, and none is sent.
    open var authTokenProvider: (any AuthTokenProvider)?

    var tasks: [RequestID: ClientTask] = [:]

    /// Makes a client.
    ///
    /// - Parameters:
    ///   - baseURL: what paths are relative to.
    ///   - session: sends the requests; by default the shared one.
    ///   - decoder: decodes answers.
    public init(baseURL: URL, session: SessionManager = .default, decoder: JSONDecoder = JSONDecoder()) {
        self.baseURL = baseURL
        self.session = session
        self.decoder = decoder
    }

    /// Makes a client of a base URL given as text.
    ///
    /// - Throws: ``HTTPError/invalidRequest(_:)`` when the text is not an absolute URL.
    public convenience init(
        baseURL: String, session: SessionManager = .default, decoder: JSONDecoder = JSONDecoder()
    ) throws(HTTPError) {
        self.init(baseURL: try URLBuilder.url(baseURL), session: session, decoder: decoder)
    }

    // MARK: - Calls

    /// Sends a request and decodes the JSON of its answer; an optional model accepts an empty one.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - progress: hears how far the answer's content is.
    ///   - model: what the answer is.
    ///   - completion: hears the model or the error.
    @discardableResult
    open func execute<Model: Decodable & Sendable>(
        _ request: any RequestProtocol, progress: ProgressHandler? = nil, model: Model.Type,
        completion: @escaping Completion<Model>
    ) -> RequestHandle {
        start(
            ClientCall(request: request, kind: .data), progress: progress,
            interpret: { [self] in try decode(model, from: try mapResponse($0)) }, conclude: { $0 },
            completion: completion)
    }

    /// Sends a request and gives the whole answer: status, header fields and content. See
    /// ``execute(_:progress:model:completion:)``.
    @discardableResult
    open func execute(
        _ request: any RequestProtocol, progress: ProgressHandler? = nil, completion: @escaping Completion<HTTPResponse>
    ) -> RequestHandle {
        start(
            ClientCall(request: request, kind: .data), progress: progress,
            interpret: { [self] in try mapResponse($0) }, conclude: { $0 }, completion: completion)
    }

    /// Sends a request with content and decodes the JSON of its answer; an optional model accepts an empty one.
    ///
    /// - Parameters:
    ///   - request: the request; its method must be one that has content. Its `url` parameters go into the query, body
    ///     parameters beside the content are an error.
    ///   - content: what is sent.
    ///   - progress: hears how far the content is sent.
    ///   - model: what the answer is.
    ///   - completion: hears the model or the error.
    @discardableResult
    open func upload<Model: Decodable & Sendable>(
        _ request: any RequestProtocol, content: UploadContent, progress: ProgressHandler? = nil, model: Model.Type,
        completion: @escaping Completion<Model>
    ) -> RequestHandle {
        start(
            ClientCall(request: request, kind: .upload, content: content), progress: progress,
            interpret: { [self] in try decode(model, from: try mapResponse($0)) }, conclude: { $0 },
            completion: completion)
    }

    /// Receives the content of a successful answer into a file. The file is complete and at its place when the completion
    /// runs; a failure leaves what was there before, and its error has the server's own words.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - progress: hears how far the content is.
    ///   - destination: where the file goes, over one that is there; its directory is made if need be. By default a new
    ///     file in the temporary directory, the caller's to remove.
    ///   - completion: hears the place or the error.
    @discardableResult
    open func download(
        _ request: any RequestProtocol, progress: ProgressHandler? = nil, to destination: URL? = nil,
        completion: @escaping Completion<URL>
    ) -> RequestHandle {
        startDownload(
            request, place: DownloadPlace(destination, path: request.path), progress: progress, completion: completion)
    }

    /// Receives the content of any URL into a file, such as a link the server sent. The client's header fields and token go
    /// along only to the origin of the base URL. See ``download(_:progress:to:completion:)``; for
    /// ``cancel(request:completion:)`` it is the request `APIRequest(path: url.absoluteString)`.
    @discardableResult
    open func download(
        from url: URL, progress: ProgressHandler? = nil, to destination: URL? = nil,
        completion: @escaping Completion<URL>
    ) -> RequestHandle {
        startDownload(
            APIRequest(path: url.absoluteString), from: url, place: DownloadPlace(destination, path: url.path),
            progress: progress, completion: completion)
    }

    /// Cancels every call of a request that is under way in this client: those whose requests are equal field by field,
    /// twins, uploads and downloads included. Each ends with ``NetworkError/cancelled``.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - completion: called once, later, when the completions of the cancelled calls have run; with their number, 0 when
    ///     nothing was under way.
    open func cancel(request: any RequestProtocol, completion: (@MainActor (Int) -> Void)? = nil) {
        let wanted = APIRequest(copying: request)
        let found = tasks.values.filter { $0.task.request == wanted }
        for task in found { task.cancel() }
        guard let completion else { return }
        Task {
            for task in found { await task.waitForEnd() }
            completion(found.count)
        }
    }

    /// The calls that have not ended, oldest first.
    public var runningTasks: [RunningTask] { tasks.values.map(\.task).sorted { $0.id < $1.id } }

    // MARK: - Steps

    /// The request as it goes to the session.
    ///
    /// - Parameters:
    ///   - request: what the caller gave.
    ///   - token: what the token provider gave; empty where none was asked for.
    open func buildRequest(_ request: any RequestProtocol, token: HTTPHeaders) throws -> HTTPRequest {
        var built = HTTPRequest(method: request.httpMethod, url: try buildURL(for: request))
        built.options.timeouts = request.timeouts ?? timeouts
        built.options.cache = request.cachePolicy
        try configureParameters(of: request, into: &built)
        built.headers = buildHeaders(for: request, token: token)
        return built
    }

    /// The URL: base URL and path joined by the rules of ``URLBuilder``, the path's `{names}` filled from the task's `url`
    /// parameters. An absolute URL as the path is an error, so that no token goes astray.
    open func buildURL(for request: any RequestProtocol) throws -> URL {
        var parameters = request.httpTask.urlParameters
        let path = try PathTemplate(request.path).fill(from: &parameters)
        let base = baseURL.isFileURL ? FixtureInterceptor.base : baseURL.absoluteString
        return try URLBuilder.join(base: base, path: path)
    }

    /// Writes the task's parameters into the query and the body.
    open func configureParameters(of request: any RequestProtocol, into built: inout HTTPRequest) throws {
        try request.httpTask.encode(into: &built, except: PathTemplate(request.path).names)
    }

    /// The header fields: the client's, then the token's, the request's and its task's extra ones; a later one replaces an
    /// earlier one of the same name. `Content-Type` follows from the body unless one of them names it.
    open func buildHeaders(for request: any RequestProtocol, token: HTTPHeaders) -> HTTPHeaders {
        headers.merging(token).merging(request.headers).merging(request.httpTask.extraHeaders)
    }

    /// Judges an answer, off the main actor: by default a status outside 200 to 299 is an error of its class. May return
    /// another answer, with the content taken out of an envelope, say.
    open nonisolated func mapResponse(_ response: HTTPResponse) throws -> HTTPResponse {
        if let error = NetworkError(status: response) { throw error }
        return response
    }

    /// Reads the content of an accepted answer, off the main actor: by default JSON with ``decoder``.
    open nonisolated func decode<Model: Decodable & Sendable>(
        _ type: Model.Type, from response: HTTPResponse
    ) throws -> Model {
        try response.decode(type, using: decoder)
    }
}
