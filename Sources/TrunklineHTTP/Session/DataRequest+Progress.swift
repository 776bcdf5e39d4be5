import Foundation

extension DataRequest {
    /// How much of the request body is sent: the latest number, then each newer one, until the request ends. A reader that
    /// is slow misses numbers, never the last. A retry starts again from 0.
    public var uploadProgress: AsyncStream<TransferProgress> { progress.stream(.sent) }

    /// How much of the response body has come; see ``uploadProgress``.
    public var downloadProgress: AsyncStream<TransferProgress> { progress.stream(.received) }

    /// Calls `handler` with how much of the request body is sent, the number so far first.
    ///
    /// - Parameters:
    ///   - queue: where the handler runs; by default the main queue. On a serial queue no call comes after that of a
    ///     completion handler on the same queue.
    ///   - handler: hears the numbers, in order.
    @discardableResult
    public func onUploadProgress(
        on queue: DispatchQueue = .main, _ handler: @escaping @Sendable (TransferProgress) -> Void
    ) -> Self {
        progress.listen(.sent, on: queue, handler)
        return self
    }

    /// Calls `handler` with how much of the response body has come; see ``onUploadProgress(on:_:)``.
    @discardableResult
    public func onDownloadProgress(
        on queue: DispatchQueue = .main, _ handler: @escaping @Sendable (TransferProgress) -> Void
    ) -> Self {
        progress.listen(.received, on: queue, handler)
        return self
    }

    /// What the transport tells: for the caller's observer and for everybody who listens to the handle.
    func observer(beside other: ProgressObserver?) -> ProgressObserver {
        let other = other?.silenced(whenFinished: self)
        return ProgressObserver(
            sent: { [progress] in
                progress.report($0, .sent)
                other?.sent?($0)
            },
            received: { [progress] in
                progress.report($0, .received)
                other?.received?($0)
            })
    }
}
