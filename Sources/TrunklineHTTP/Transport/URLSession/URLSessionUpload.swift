import Foundation

/// A request body in a form `URLSession` takes on every platform: bytes, or a file.
///
/// A stream is written to a temporary file first, chunk by chunk, and the file is removed when the exchange ends:
/// body streams of the toolchain's `URLSession` on Linux can neither be sized nor rewound.
enum URLSessionUpload: Sendable {
    case none
    case data(Data)
    case file(URL, isTemporary: Bool)

    static func prepare(_ body: RequestBody?) async throws -> URLSessionUpload {
        switch body?.source {
        case nil:
            return .none
        case .data(let data):
            return .data(data)
        case .file(let url, let length):
            let now = try FileFacts.length(of: url)
            guard now == length else {
                throw HTTPError.file(
                    FileFailure(
                        url: url, operation: .read,
                        reason: "it had \(length) bytes when the request was made and has \(now) now"))
            }
            return .file(url, isTemporary: false)
        case .stream(let length, _, let make):
            return try await spool(make(), length: length)
        }
    }

    /// Removes what ``prepare(_:)`` made.
    func discard() {
        if case .file(let url, isTemporary: true) = self { try? FileManager.default.removeItem(at: url) }
    }

    private static func spool(_ chunks: RequestBody.Chunks, length: Int64?) async throws -> URLSessionUpload {
        let sink = try FileSink.temporary(prefix: "trunkline-upload")
        do {
            var written: Int64 = 0
            for try await chunk in chunks {
                try sink.write(chunk)
                written += Int64(chunk.count)
                if let length, written > length { break }
            }
            try Task.checkCancellation()
            if let length, written != length {
                throw HTTPError.invalidRequest(
                    .body(reason: "the stream was declared as \(length) bytes and gave \(written)"))
            }
            try sink.close()
        } catch {
            sink.discard()
            throw error
        }
        return .file(sink.url, isTemporary: true)
    }
}
