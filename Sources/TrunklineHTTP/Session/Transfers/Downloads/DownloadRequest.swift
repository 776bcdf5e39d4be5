import Foundation

/// A download in the hands of its caller: wait for its file, watch it, cancel it and go on later.
///
///     let download = session.download("https://example.com/film.mp4", to: .directory(documents))
///     for await progress in download.progress { bar.value = progress.fraction ?? 0 }
///     let file = try await download.file()
///
/// It ends exactly once, as a ``DataRequest`` does, with the same rules for handlers and cancels. When it ends with a file,
/// that file is complete and in its place; with an error, nothing has changed there.
///
/// All members may be used from any thread.
public final class DownloadRequest: Sendable {
    /// The outcome of a download: its file, or why there is none.
    public typealias Outcome = Result<URL, HTTPError>

    /// The request behind it.
    public let request: DataRequest
    private let job: DownloadJob?

    init(request: DataRequest, job: DownloadJob?) {
        self.request = request
        self.job = job
    }

    /// The library's identity for this download, the same through redirects and retries.
    public var id: RequestID { request.id }
    /// Words the download can be found and cancelled by.
    public var tags: Set<String> { request.tags }
    /// Where the download is in its life.
    public var state: RequestState { request.state }
    /// Whether the outcome is known.
    public var isFinished: Bool { request.isFinished }

    /// Begins, where ``SessionConfiguration/startsRequestsImmediately`` is off, or goes on after ``suspend()``.
    @discardableResult
    public func resume() -> Self {
        request.resume()
        return self
    }

    /// Holds the download until ``resume()``; see ``DataRequest/suspend()``. For a longer pause, or one that may outlive
    /// the process, cancel it and download again.
    @discardableResult
    public func suspend() -> Self {
        request.suspend()
        return self
    }

    /// Ends the download with ``HTTPError/cancelled``; see ``DataRequest/cancel()``. What has arrived is kept where it can
    /// be gone on with, as after every other failure and after the end of the process: the same download goes on there.
    public func cancel() { cancel(keepingPartial: true) }

    /// Ends the download with ``HTTPError/cancelled``.
    ///
    /// - Parameter keepsPartial: whether what has arrived is kept for a later download; otherwise it is removed.
    public func cancel(keepingPartial keepsPartial: Bool) {
        if !keepsPartial { job?.forget() }
        request.cancel()
    }

    /// Waits for the file. Cancelling the waiting task cancels the download, and keeps what has arrived.
    ///
    /// - Returns: where the file is.
    /// - Throws: the ``HTTPError`` that ended the download.
    public func file() async throws(HTTPError) -> URL {
        try DownloadRequest.file(of: try await response())
    }

    /// Waits for the response, whose body is the file in its place.
    public func response() async throws(HTTPError) -> HTTPResponse { try await request.response() }

    /// Calls `handler` once with the file or the error.
    ///
    /// - Parameters:
    ///   - queue: where the handler runs; by default the main queue.
    ///   - handler: hears the outcome.
    @discardableResult
    public func onFile(on queue: DispatchQueue = .main, _ handler: @escaping @Sendable (Outcome) -> Void) -> Self {
        request.onResponse(on: queue) { outcome in
            handler(
                outcome.flatMap { response in Result { () throws(HTTPError) in try DownloadRequest.file(of: response) }
                })
        }
        return self
    }

    // MARK: - Progress

    /// How far the download is, as a stream: the newest value at once, then each one, or the newest of several where the
    /// reader is slow. It ends with the download. Every use is a stream of its own.
    ///
    /// A value counts the bytes of the whole content that are in the file, so that a resumed download begins with what was
    /// there, and one that has to start over falls back to 0. The total is nil while it is unknown; the last value of a
    /// success has it.
    public var progress: AsyncStream<TransferProgress> { request.downloadProgress }

    /// The newest value; nil before the first.
    public var latestProgress: TransferProgress? { request.progress.latest(.received) }

    /// Calls `handler` for each value, in order, the newest one so far first; on a serial queue not after the outcome was
    /// delivered there.
    ///
    /// - Parameters:
    ///   - queue: where the handler runs; by default the main queue.
    ///   - handler: hears how far the download is.
    @discardableResult
    public func onProgress(
        on queue: DispatchQueue = .main, _ handler: @escaping @Sendable (TransferProgress) -> Void
    ) -> Self {
        request.onDownloadProgress(on: queue, handler)
        return self
    }

    private static func file(of response: HTTPResponse) throws(HTTPError) -> URL {
        guard case .file(let url) = response.body else { throw .emptyResponse(response) }
        return url
    }
}
