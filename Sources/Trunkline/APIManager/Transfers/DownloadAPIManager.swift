import Foundation

/// An endpoint whose answer is a file.
///
/// ```swift
/// final class CoverAPI: DownloadAPIManager, APIManagerProtocol {
///     func methodName() -> String { "books/{id}/cover" }
///     func serviceIdentifier() -> ServiceIdentifier { .library }
///     override func destination(with params: Parameters) -> DownloadDestination { .directory(covers) }
/// }
///
/// let cover = try await api.loadFile()
/// ```
///
/// A load goes through every step of ``BaseAPIManager``, in the same order, and ends once. When it succeeds, the file is
/// complete, its checksum right, and in its place; it is there before the delegate hears, as ``APIResponse/fileURL``. When it
/// fails, or is cancelled, nothing has changed there: the file takes its place in one step, after the validator and
/// ``BaseAPIManager/mayPerformSuccess(with:)`` have accepted it. Those two see it where it waits, in the session's transfer
/// directory. A name the server gives is made safe (`SafeFileName`).
///
/// What has arrived when a load fails, is cancelled, or its process ends, is kept in the session's
/// `SessionConfiguration.transferDirectory`, apart for each user and environment: the same load, made again, goes on there
/// (``resumption()``). An answer outside 200 to 299 is no file; its content is in memory, parsed where it is JSON, for the
/// validator, the envelope and the service to read.
@MainActor
open class DownloadAPIManager: TransferAPIManager {
    /// The file of the newest successful load; inside a success callback that load's. Nil when the newest load failed.
    public var fileURL: URL? { error == nil ? response?.fileURL : nil }

    // MARK: - The endpoint

    /// Where the file goes; by default into `trunkline-downloads` of the user's caches, under the name the server suggests,
    /// with a number where there is one of that name.
    ///
    /// - Parameter params: the load's parameters, to make a name of; go through `SafeFileName` for that.
    /// - Throws: whatever makes the place impossible; it ends the load with `.requestError`, and nothing is sent.
    open func destination(with params: Parameters) throws -> DownloadDestination {
        let caches =
            FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first
            ?? FileManager.default.temporaryDirectory
        return .directory(caches.appendingPathComponent("trunkline-downloads", isDirectory: true))
    }

    /// What the content must be; by default nothing is checked. Content that is something else ends the load with
    /// `.invalidContent`.
    open func checksum() -> DownloadChecksum? { nil }

    /// Whether a load goes on where an earlier one stopped, and under which name what has arrived is kept; by default under
    /// the URL.
    open func resumption() -> TransferResumption { .automatic }

    /// Nothing is parsed: the answer is a file.
    open override func responseContent() -> APIResponseContent { .any }

    // MARK: - Loading

    /// Loads and waits for the file. Cancelling the waiting task cancels the load, and keeps what has arrived.
    ///
    /// - Returns: where the file is.
    /// - Throws: ``APIError``.
    @discardableResult
    public func loadFile() async throws(APIError) -> URL { try Self.file(of: await load()) }

    /// Loads, then calls `completion` once on the main actor. The manager stays alive until then.
    ///
    /// - Returns: the load's identity; nil when nothing was sent, in which case the completion hears why.
    @discardableResult
    public func loadFile(_ completion: @escaping @MainActor (Result<URL, APIError>) -> Void) -> RequestID? {
        load { outcome in
            completion(outcome.flatMap { response in Result { () throws(APIError) in try Self.file(of: response) } })
        }
    }

    /// Ends the load with `.cancelled`, as ``BaseAPIManager/cancelRequest(_:)`` does.
    ///
    /// - Parameters:
    ///   - id: the load.
    ///   - keepsPartial: whether what has arrived is kept for a later load; otherwise it is removed.
    public func cancelRequest(_ id: RequestID, keepingPartial keepsPartial: Bool) {
        if !keepsPartial, case .download(let download, _)? = table[id]?.transfer {
            download.cancel(keepingPartial: false)
        }
        cancelRequest(id)
    }

    private static func file(of response: APIResponse) throws(APIError) -> URL {
        guard let file = response.fileURL else {
            throw APIError(.noContent, reason: "The answer (status \(response.statusCode)) has no file.")
        }
        return file
    }

    // MARK: - The transfer

    override func transferPlan(with params: Parameters) throws -> TransferPlan? {
        .download(to: try destination(with: params), checksum: checksum(), resumption: resumption())
    }

    override func sessionRequest(for load: APILoad) -> DataRequest {
        guard case .download(let destination, let checksum, let resumption)? = load.call.transfer else {
            return super.sessionRequest(for: load)
        }
        let session = load.service.session
        let held = HeldDownload(destination, waitingAt: session.completeDownload)
        let download = session.download(
            load.call.request, to: held.waiting, checksum: checksum, resumption: resumption, id: load.id,
            interceptors: load.call.interceptors)
        follow(load, .download(download, held))
        return download.request
    }

    /// An answer that is no file may explain itself.
    override func readsJSON(of response: HTTPResponse) -> Bool { !response.isSuccess }

    override func accept(_ response: APIResponse, of load: APILoad) throws(APIError) -> APIResponse {
        guard case .download(_, let held)? = load.transfer else { return response }
        do throws(HTTPError) {
            var http = response.http
            if let file = try held.accept() { http.body = .file(file) }
            return APIResponse(
                requestID: response.requestID, http: http, parameters: response.parameters, json: response.json)
        } catch {
            throw APIError(error)
        }
    }

    override func tell(_ delegate: any APIManagerProgressDelegate, _ progress: TransferProgress, of load: APILoad) {
        delegate.manager(self, didReceive: progress.completed, of: progress.total, requestID: load.id)
    }

    override func wholeProgress(of load: APILoad, _ response: APIResponse) -> TransferProgress {
        let size = response.fileURL.flatMap {
            (try? FileManager.default.attributesOfItem(atPath: $0.path))?[.size] as? NSNumber
        }
        return TransferProgress(completed: size?.int64Value ?? 0, total: nil)
    }
}
