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
            return .file(url, length: length, isTemporary: false)
        case .stream(let length, _, let make):
            return try await spool(make(), length: length)
        }
    }

    /// Removes what ``prepare(_:)`` made.
    func discard() {
        if case .file(let url, _, isTemporary: true) = self { try? FileManager.default.removeItem(at: url) }
    }

    /// Puts the body on the request, where it doesn't go with the task.
    ///
    /// On Linux a file is read as a stream: see ``URLSessionFileStream``. A stream would be sent in chunks; the length the
    /// server should have instead goes into the fields, and a blank `Transfer-Encoding` keeps libcurl from adding its own
    /// and is not sent itself.
    func apply(to request: inout URLRequest, of transfer: URLSessionTransfer) throws(HTTPError) {
        switch self {
        case .none: break
        case .data(let data): request.httpBody = data
        case .file(let url, let length, _):
            #if canImport(FoundationNetworking)
                request.httpBodyStream = try transfer.bodyStream(of: url, length: length)
                request.setValue(String(length), forHTTPHeaderField: "Content-Length")
                request.setValue(" ", forHTTPHeaderField: "Transfer-Encoding")
            #endif
        }
    }

    /// The task that sends the request with this body.
    func task(for request: URLRequest, in session: URLSession) -> URLSessionTask {
        #if !canImport(FoundationNetworking)
            if case .file(let url, _, _) = self { return session.uploadTask(with: request, fromFile: url) }
        #endif
        return session.dataTask(with: request)
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
        return .file(sink.url, length: written, isTemporary: true)
    }
}
