import Foundation

/// A request body in a form `URLSession` takes on every platform: bytes, or a file.
///
/// A stream is written to a temporary file first, chunk by chunk, and the file is removed when the exchange ends: a body
/// that can't be read again can't be sent again.
enum URLSessionUpload: Sendable {
    case none
    case data(Data)
    case file(URL, length: Int64, isTemporary: Bool)

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
            return length == 0 ? .data(Data()) : .file(url, length: length, isTemporary: false)
        case .stream(let length, _, let make):
            return try await spool(make(), length: length)
        }
    }

    /// Removes what ``prepare(_:)`` made.
    func discard() {
        if case .file(let url, _, isTemporary: true) = self { try? FileManager.default.removeItem(at: url) }
    }

    private static func spool(_ chunks: RequestBody.Chunks, length: Int64?) async throws -> URLSessionUpload {
        let sink = try FileSink.temporary(prefix: "trunkline-upload")
        var written: Int64 = 0
        do {
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
        guard written > 0 else {
            sink.discard()
            return .data(Data())
        }
        return .file(sink.url, length: written, isTemporary: true)
    }
}

extension URLSession {
    /// A task that sends a file.
    ///
    /// On Linux the file is read as a stream: see ``URLSessionFileStream``. A stream would be sent in chunks; the length the
    /// server should have instead goes into the fields, and a blank `Transfer-Encoding` keeps libcurl from adding its own
    /// and is not sent itself.
    func uploadTask(
        with request: URLRequest, file: URL, length: Int64, transfer: URLSessionTransfer
    ) throws(HTTPError) -> URLSessionTask {
        #if canImport(FoundationNetworking)
            var request = request
            request.httpBodyStream = try transfer.bodyStream(of: file, length: length)
            request.setValue(String(length), forHTTPHeaderField: "Content-Length")
            request.setValue(" ", forHTTPHeaderField: "Transfer-Encoding")
            return dataTask(with: request)
        #else
            return uploadTask(with: request, fromFile: file)
        #endif
    }
}
