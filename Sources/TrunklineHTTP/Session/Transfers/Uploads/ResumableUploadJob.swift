import Foundation

/// One resumable upload: creates it or takes it up, and adds what is missing until the server has everything.
struct ResumableUploadJob: TransferWork {
    let file: URL
    let method: ResumableUpload
    let meter = UploadMeter()
    /// Where its state is kept; nil to keep none.
    let state: URL?
    let retry: RetryPolicy
    var now: @Sendable () -> Date = { Date() }
    /// Waits before an attempt; injected for tests.
    var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

    func run(_ exchange: Exchange, pipeline: Next, validation: ResponseValidation) async throws -> HTTPResponse {
        guard exchange.request.body == nil else {
            throw HTTPError.invalidRequest(.body(reason: "a resumable upload brings its own content"))
        }
        var kept: UploadStateFile?
        if let state { kept = try await UploadStateFile.open(state) }
        defer { kept?.release() }
        var run = ResumableUploadRun(job: self, source: try UploadSource(file), kept: kept, exchange: exchange)
        let response = try await run.toTheEnd(pipeline)
        try validation.validate(response)
        meter.complete(for: exchange.progress?.sent)
        return response
    }
}
