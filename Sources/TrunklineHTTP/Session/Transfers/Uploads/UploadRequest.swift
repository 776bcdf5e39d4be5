import Foundation

/// An upload in the hands of its caller: wait for the answer, watch it, cancel it.
///
///     let upload = session.upload(.file(video), to: "https://example.com/videos")
///     for await progress in upload.progress { bar.value = progress.fraction ?? 0 }
///     let published = try await upload.value(of: Video.self)
///
/// It ends exactly once, as a ``DataRequest`` does, with the same rules for handlers and cancels.
///
/// All members may be used from any thread.
public final class UploadRequest: Sendable {
    /// The request behind it.
    public let request: DataRequest

    init(request: DataRequest) { self.request = request }

    /// The library's identity for this upload, the same through redirects, retries and the requests of a resumable one.
    public var id: RequestID { request.id }
    /// Words the upload can be found and cancelled by.
    public var tags: Set<String> { request.tags }
    /// Where the upload is in its life.
    public var state: RequestState { request.state }
    /// Whether the outcome is known.
    public var isFinished: Bool { request.isFinished }

    /// Begins, where ``SessionConfiguration/startsRequestsImmediately`` is off, or goes on after ``suspend()``.
    @discardableResult
    public func resume() -> Self {
        request.resume()
        return self
    }

    /// Holds the upload until ``resume()``; see ``DataRequest/suspend()``.
    @discardableResult
    public func suspend() -> Self {
        request.suspend()
        return self
    }

    /// Ends the upload with ``HTTPError/cancelled``; see ``DataRequest/cancel()``. A resumable one is only paused: the same
    /// upload, begun again, goes on where the server is.
    public func cancel() { request.cancel() }

    /// Waits for the answer. Cancelling the waiting task cancels the upload.
    ///
    /// - Throws: the ``HTTPError`` that ended the upload.
    public func response() async throws(HTTPError) -> HTTPResponse { try await request.response() }

    /// Waits for the answer and decodes its content; see ``DataRequest/value(of:at:decoder:emptyStatuses:)``, which
    /// ``request`` has with all its parameters.
    public func value<Value: Decodable & Sendable>(
        of type: Value.Type = Value.self, decoder: any DataDecoder = JSONDecoder()
    ) async throws(HTTPError) -> Value {
        try await request.value(of: type, decoder: decoder)
    }

    /// Calls `handler` once with the outcome; see ``DataRequest/onResponse(on:_:)``.
    @discardableResult
    public func onResponse(
        on queue: DispatchQueue = .main, _ handler: @escaping @Sendable (DataRequest.Outcome) -> Void
    ) -> Self {
        request.onResponse(on: queue, handler)
        return self
    }

    /// Calls `handler` once with the decoded content or the error; see
    /// ``DataRequest/onValue(of:at:decoder:emptyStatuses:on:_:)``.
    @discardableResult
    public func onValue<Value: Decodable & Sendable>(
        of type: Value.Type = Value.self, decoder: any DataDecoder = JSONDecoder(), on queue: DispatchQueue = .main,
        _ handler: @escaping @Sendable (Result<Value, HTTPError>) -> Void
    ) -> Self {
        request.onValue(of: type, decoder: decoder, on: queue, handler)
        return self
    }

    // MARK: - Progress

    /// How far the upload is, as a stream: the newest value at once, then each one, or the newest of several where the
    /// reader is slow. It ends with the upload. Every use is a stream of its own.
    ///
    /// Values grow within an attempt, and never go beyond the whole; a retry begins at 0, a resumable upload at what the
    /// server has. The last value of a success is the whole.
    public var progress: AsyncStream<TransferProgress> { request.uploadProgress }

    /// The newest value; nil before the first.
    public var latestProgress: TransferProgress? { request.progress.latest(.sent) }

    /// Calls `handler` for each value, in order, the newest one so far first; on a serial queue not after the outcome was
    /// delivered there.
    ///
    /// - Parameters:
    ///   - queue: where the handler runs; by default the main queue.
    ///   - handler: hears how far the upload is.
    @discardableResult
    public func onProgress(
        on queue: DispatchQueue = .main, _ handler: @escaping @Sendable (TransferProgress) -> Void
    ) -> Self {
        request.onUploadProgress(on: queue, handler)
        return self
    }
}
