/// The session's handle of a transfer.
enum TransferHandle: Sendable {
    case upload(UploadRequest)
    case download(DownloadRequest, HeldDownload)

    /// The request behind it.
    var request: DataRequest {
        switch self {
        case .upload(let upload): upload.request
        case .download(let download, _): download.request
        }
    }

    /// How far it is, until it ends.
    var progress: AsyncStream<TransferProgress> {
        switch self {
        case .upload(let upload): upload.progress
        case .download(let download, _): download.progress
        }
    }

    /// How far it is; nil before the first report.
    var latestProgress: TransferProgress? {
        switch self {
        case .upload(let upload): upload.latestProgress
        case .download(let download, _): download.latestProgress
        }
    }
}
