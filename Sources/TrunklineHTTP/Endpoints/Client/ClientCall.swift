/// What a caller asked a client for.
struct ClientCall: Sendable {
    let request: any RequestProtocol
    let kind: RunningTask.Kind
    var content: UploadContent?
    var place: DownloadPlace?
    /// A whole URL that stands in for base URL and path.
    var url: URL?
}
