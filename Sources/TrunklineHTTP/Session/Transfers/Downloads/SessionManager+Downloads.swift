import Foundation

extension SessionManager {
    /// Downloads the content of a request into a file.
    ///
    ///     let file = try await session.download(url, to: .directory(documents)).file()
    ///
    /// The content is received into a partial file in ``SessionConfiguration/transferDirectory``. When it is complete, its
    /// checksum is right and the response is accepted, it takes its place in one step.
    ///
    /// A `GET` whose response has a strong validator (RFC 9110, section 8.8.1) can be gone on with: the next attempt, or
    /// the next download, asks for the rest by `Range` and `If-Range`. Where the content has changed, or the server's
    /// answer doesn't fit, it starts anew; the two are never mixed. To make that possible the request asks for
    /// `Accept-Encoding: identity` unless it has a field of its own or `resumption` is ``TransferResumption/never``.
    /// A second download of what another one is receiving gets a partial file of its own.
    ///
    /// - Parameters:
    ///   - request: what to ask for; by default of its method `GET`.
    ///   - destination: where the file goes, and what happens to one that is there.
    ///   - checksum: what the content must be; by default nothing is checked.
    ///   - resumption: whether it goes on with what an earlier one has left, and under which name.
    ///   - id: the identity; by default the next one.
    ///   - interceptors: run for this request only, after the session's.
    @discardableResult
    public func download(
        _ request: some RequestConvertible, to destination: DownloadDestination, checksum: DownloadChecksum? = nil,
        resumption: TransferResumption = .automatic, id: RequestID = .next(), interceptors: [any Interceptor] = []
    ) -> DownloadRequest {
        let download: DownloadRequest
        do {
            var resolved = try resolve(request)
            // For the stages before: the content is not theirs to keep in memory.
            resolved.options.delivery = .stream
            let job = DownloadJob(
                destination: destination, checksum: checksum,
                directory: TransferDirectory(configuration.transferDirectory),
                key: SessionManager.key(of: resolved, resumption))
            download = DownloadRequest(
                request: make(resolved, id: id, interceptors: interceptors, progress: nil, transfer: job), job: job)
        } catch {
            download = DownloadRequest(request: refused(id: id, error), job: nil)
        }
        if configuration.startsRequestsImmediately { download.resume() }
        return download
    }

    /// Removes partial downloads and the state of uploads that have not changed for a time; what is in use is left alone.
    /// Blocks while it does so. To be called now and then, at start for instance: content that nobody comes back for stays
    /// otherwise.
    ///
    /// - Parameter age: how long ago the last change must be; by default a week.
    public func removeStaleTransfers(olderThan age: Duration = .seconds(7 * 86_400)) {
        TransferDirectory(configuration.transferDirectory).removeStale(olderThan: age)
    }

    /// Where a download may wait that is complete and has to be accepted by somebody else yet. What a killed process leaves
    /// there goes with ``removeStaleTransfers(olderThan:)``.
    package var completeDownload: URL { TransferDirectory(configuration.transferDirectory).completeDownload }

    private static func key(of request: HTTPRequest, _ resumption: TransferResumption) -> String? {
        let owner = request.options.cachePartition.directoryName
        switch resumption {
        case .never: return nil
        case .key(let name): return "key \(owner) \(name)"
        case .automatic:
            guard request.method == .get, request.body == nil else { return nil }
            return "url \(owner) \(request.url.absoluteString)"
        }
    }
}
