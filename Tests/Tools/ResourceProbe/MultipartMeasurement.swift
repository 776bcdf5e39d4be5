import Foundation
import TestSupport
import TrunklineHTTP

/// A multipart form with a file of 256 MB, read as a transport reads it: bytes and memory.
enum MultipartMeasurement {
    static func run() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        try Findings.require(FileManager.default.createFile(atPath: file.path, contents: nil), "no file")
        let handle = try FileHandle(forWritingTo: file)
        try handle.truncate(atOffset: 256 << 20)
        try handle.close()
        var form = MultipartFormData()
        form.append(file: file, name: "v")
        let body = try RequestBody.multipart(form)
        guard case .stream(_, _, let make) = body.source else {
            throw Findings.Unexpected(description: "not a stream")
        }
        let before = ProcessFacts.residentBytes()
        var peak = before ?? 0
        var count = 0
        for try await chunk in try make() {
            count += chunk.count
            if count % (16 << 20) < 70_000 { peak = max(peak, ProcessFacts.residentBytes() ?? 0) }
        }
        Findings.report("bytes", count)
        Findings.report("announced", body.contentLength.map { Int($0) })
        if let before { Findings.report("memory", peak - before) }
    }
}
