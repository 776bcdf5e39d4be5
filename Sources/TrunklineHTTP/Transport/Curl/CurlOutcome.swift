/// What the loop tells the task that waits for a response.
enum CurlOutcome: Sendable {
    /// The transfer left libcurl with this code; everything else is in its C transfer.
    case finished(code: Int32)
    /// The head of a response whose body will be streamed: the status and the header lines, and what was measured.
    case head(status: Int32, lines: [UInt8], TransportMetrics)
    /// The library itself ended it.
    case failed(HTTPError)
}
