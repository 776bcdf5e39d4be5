import Foundation
import TestSupport
import TrunklineHTTP

/// A form with a large file, sent five times, each with another end: what it leaves in the temporary directory, how often
/// its callback comes, and the memory it takes. To be run with a temporary directory of its own.
enum UploadMeasurement {
    static func run(url: URL, file: URL, onURLSession: Bool) async throws {
        let transport: any Transport = if onURLSession { URLSessionTransport() } else { try CurlTransport() }
        let session = SessionManager(transport: transport)
        // What comes with the first request and stays is not counted.
        _ = try await session.send(HTTPRequest(url: url.appendingPathComponent("warm")))
        let before = names
        let peak = ProcessFacts.peakResidentBytes()
        for name in ["200", "500", "cancelled", "refused", "unreadable"] {
            var form = MultipartFormData()
            form.append(file: file, name: "v")
            if name == "unreadable" {
                let gone = FileManager.default.temporaryDirectory.appendingPathComponent("gone")
                try Data("x".utf8).write(to: gone)
                form.append(file: gone, name: "w")
                try FileManager.default.removeItem(at: gone)
            }
            let target = name == "refused" ? URL(string: "http://127.0.0.1:1/") : url.appendingPathComponent(name)
            guard let target else { throw Findings.Unexpected(description: "no URL") }
            let calls = Collector<Bool>()
            let upload = session.upload(.multipart(form), to: target)
            upload.onResponse(on: .global()) { outcome in
                if case .success = outcome { calls.add(true) } else { calls.add(false) }
            }
            if name == "cancelled" {
                for await progress in upload.progress where (progress.fraction ?? 0) >= 0.5 {
                    upload.cancel()
                    break
                }
            }
            _ = try? await upload.response()
            let isClean = waitUntil(within: .seconds(10)) { names == before && calls.count == 1 }
            Findings.report("\(name).clean", isClean ? 1 : 0)
            Findings.report("\(name).callbacks", calls.count)
            Findings.report("\(name).success", calls.all == [true] ? 1 : 0)
        }
        if let peak, let now = ProcessFacts.peakResidentBytes() { Findings.report("growth", now - peak) }
    }

    private static var names: [String] {
        let directory = FileManager.default.temporaryDirectory.path
        return ((try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? ["?"]).sorted()
    }
}
