import Foundation

/// An interceptor that compresses request bodies with gzip, for servers known to undo it (RFC 9110, section 8.4).
///
/// A server that doesn't know `Content-Encoding` in requests usually answers 400 or 415, so this is for one's own
/// back end, not a default. Bodies in memory are compressed where that makes them smaller. Files and streams are left
/// alone unless ``compressesStreams`` is on: they are compressed as they are sent, so that their length is unknown and
/// HTTP/1.1 sends them chunked. A body with a `Content-Encoding` is sent as it is.
///
/// The platform's zlib does the work. Where there is none, a body that would be compressed ends its request with
/// ``HTTPError/unsupported(feature:platform:)`` before anything is sent.
public struct RequestCompression: Interceptor {
    /// Bodies below this many bytes are left alone.
    public var minimumLength: Int
    /// Whether files and streams are compressed as well.
    public var compressesStreams: Bool

    /// Makes the interceptor.
    ///
    /// - Parameters:
    ///   - minimumLength: the smallest body worth the work; by default 1,024 bytes.
    ///   - compressesStreams: whether files and streams are compressed as well, whose length is then unknown; by default
    ///     they aren't.
    public init(minimumLength: Int = 1024, compressesStreams: Bool = false) {
        self.minimumLength = minimumLength
        self.compressesStreams = compressesStreams
    }

    public func intercept(_ exchange: Exchange, next: Next) async throws -> HTTPResponse {
        var exchange = exchange
        try compress(&exchange.request)
        return try await next(exchange)
    }

    func compress(_ request: inout HTTPRequest) throws(HTTPError) {
        guard let body = request.body, body.contentLength ?? .max >= minimumLength,
            !request.headers.contains("Content-Encoding")
        else { return }
        switch body.source {
        case .data(let data):
            let compressed = try Gzip.compress(data)
            guard compressed.count < data.count else { return }
            request.body = .data(compressed, contentType: body.contentType)
        case .file(let url, let length):
            guard compressesStreams else { return }
            let file = MultipartSegment(part: url.lastPathComponent, length: length, content: .file(url))
            request.body = try compressed(body, replayable: true) {
                let chunks = MultipartChunks(segments: [file])
                return RequestBody.Chunks { try await chunks.next() }
            }
        case .stream(_, let replayable, let make):
            guard compressesStreams else { return }
            request.body = try compressed(body, replayable: replayable, make)
        }
        request.headers.set("Content-Encoding", "gzip")
    }

    private func compressed(
        _ body: RequestBody, replayable: Bool, _ make: @escaping @Sendable () throws -> RequestBody.Chunks
    ) throws(HTTPError) -> RequestBody {
        // Told now and not in the middle of the request.
        _ = try GzipStream()
        let source = RequestBody.Source.stream(length: nil, replayable: replayable) {
            let chunks = try GzipChunks(try make())
            return RequestBody.Chunks { try await chunks.next() }
        }
        return RequestBody(source: source, contentType: body.contentType)
    }
}
