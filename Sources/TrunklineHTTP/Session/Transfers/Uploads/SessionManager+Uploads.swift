import Foundation

extension SessionManager {
    /// Uploads content in one request.
    ///
    ///     session.upload(.file(video), to: "https://example.com/videos")
    ///     session.upload(.multipart(form), to: .post("https://example.com/form"))
    ///     session.upload(.stream(length: count) { chunks }, to: request)
    ///
    /// A retry sends the content anew from its beginning, where it can be made again and the method allows it
    /// (``RetryPolicy``). For content that is worth going on with, see ``upload(file:to:by:resumption:id:interceptors:)``.
    ///
    /// - Parameters:
    ///   - content: what is sent; it is made when the request runs, and what it throws ends the request.
    ///   - request: where it goes, without a body; a `GET` becomes a `POST`.
    ///   - id: the identity; by default the next one.
    ///   - interceptors: run for this request only, after the session's.
    @discardableResult
    public func upload(
        _ content: UploadContent, to request: some RequestConvertible, id: RequestID = .next(),
        interceptors: [any Interceptor] = []
    ) -> UploadRequest {
        let job = UploadJob(content: content)
        return start(request, id: id, interceptors: interceptors) { _ in job }
    }

    /// Uploads a file by a protocol for resumable uploads, and goes on where the server is: after a lost connection, a
    /// cancel, or the end of the process.
    ///
    ///     session.upload(file: video, to: "https://example.com/files", by: .tus(metadata: ["filename": "a.mp4"]))
    ///
    /// The address of the upload is kept in ``SessionConfiguration/transferDirectory``, with the file's length and time of
    /// change; a file that has changed, or an upload that the server has forgotten, starts anew. How often in a row the
    /// upload is taken up again without progress is the retry policy's ``RetryPolicy/limit``; the method doesn't matter,
    /// since every request says which byte it begins with. A total time limit counts for all of it.
    ///
    /// It ends with the answer to the request that completed it, or, where that was lost, with the server's word that
    /// nothing is missing. Two uploads of one file to one place at a time don't disturb each other: the second one is an
    /// upload of its own, which is not kept.
    ///
    /// - Parameters:
    ///   - file: the file; it must not change meanwhile.
    ///   - request: where uploads are created, without a body; a `GET` becomes a `POST`. Its header fields go along with
    ///     every request, credentials only to its own origin.
    ///   - method: the protocol the server speaks.
    ///   - resumption: the name the upload is kept under; by default the file's path and the URL.
    ///   - id: the identity; by default the next one.
    ///   - interceptors: run for each of its requests, after the session's.
    @discardableResult
    public func upload(
        file: URL, to request: some RequestConvertible, by method: ResumableUpload,
        resumption: TransferResumption = .automatic, id: RequestID = .next(), interceptors: [any Interceptor] = []
    ) -> UploadRequest {
        let directory = TransferDirectory(configuration.transferDirectory)
        let retry = configuration.retry
        return start(request, id: id, interceptors: interceptors) { resolved in
            let owner = resolved.options.cachePartition.directoryName
            let key: String? =
                switch resumption {
                case .never: nil
                case .key(let name): "key \(owner) \(name)"
                case .automatic: "file \(owner) \(method.dialect.name) \(resolved.url.absoluteString) \(file.path)"
                }
            return ResumableUploadJob(
                file: file, method: method, state: key.map { directory.upload($0) },
                retry: resolved.options.retry ?? retry)
        }
    }

    private func start(
        _ request: some RequestConvertible, id: RequestID, interceptors: [any Interceptor],
        job: (HTTPRequest) -> any TransferWork
    ) -> UploadRequest {
        let upload: UploadRequest
        do {
            var resolved = try resolve(request)
            if resolved.method == .get { resolved.method = .post }
            upload = UploadRequest(
                request: make(resolved, id: id, interceptors: interceptors, progress: nil, transfer: job(resolved)))
        } catch {
            upload = UploadRequest(request: refused(id: id, error))
        }
        if configuration.startsRequestsImmediately { upload.resume() }
        return upload
    }
}

extension UploadContent {
    /// Chunks made when they are needed, and anew for every attempt.
    ///
    /// - Parameters:
    ///   - length: the exact number of bytes; nil sends the content chunked.
    ///   - contentType: the media type to announce.
    ///   - make: makes the chunks; called once an attempt.
    public static func stream(
        length: Int64? = nil, contentType: String = MIMEType.unknown,
        _ make: @escaping @Sendable () throws -> RequestBody.Chunks
    ) -> UploadContent {
        .body(.stream(length: length, contentType: contentType, make))
    }
}
