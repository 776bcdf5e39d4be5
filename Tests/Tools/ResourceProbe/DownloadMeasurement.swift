import Foundation
import TestSupport
import TrunklineHTTP

/// A download in a process that may be killed at any time.
enum DownloadMeasurement {
    static func run(url: URL, directory: URL, target: URL, onURLSession: Bool) async throws {
        let transport: any Transport = if onURLSession { URLSessionTransport() } else { try CurlTransport() }
        let session = SessionManager(
            configuration: SessionConfiguration(transferDirectory: directory), transport: transport)
        let download = session.download(url, to: .file(target))
        var first: Int64?
        for await progress in download.progress where first == nil { first = progress.completed }
        _ = try await download.file()
        Findings.report("first", first.map { Int($0) })
        Findings.report("peak", ProcessFacts.peakResidentBytes())
    }
}
