import Foundation

/// An interceptor that compresses request bodies with gzip, for servers known to undo it (RFC 9110, section 8.4).
///
/// A server that doesn't know `Content-Encoding` in requests usually answers 400 or 415, so this is for one's own
/// back end, not a default. Compressed are bodies in memory that get smaller by it; files and streams are sent as they
/// are, as is a body with a `Content-Encoding` already.
///
/// The platform's zlib does the work. Where there is none, a body that would be compressed ends its request with
/// ``HTTPError/unsupported(feature:platform:)`` before anything is sent.
public struct RequestCompression: Interceptor {
    /// Bodies below this many bytes are left alone.
    public var minimumLength: Int

    /// Makes the interceptor.
    ///
    /// - Parameter minimumLength: the smallest body worth the work; by default 1,024 bytes.
    public init(minimumLength: Int = 1024) { self.minimumLength = minimumLength }

    public func intercept(_ exchange: Exchange, next: Next) async throws -> HTTPResponse {
        var exchange = exchange
        try compress(&exchange.request)
        return try await next(exchange)
    }

    func compress(_ request: inout HTTPRequest) throws(HTTPError) {
        guard let body = request.body, let data = body.data, data.count >= minimumLength,
            !request.headers.contains("Content-Encoding")
        else { return }
        let compressed = try Gzip.compress(data)
        guard compressed.count < data.count else { return }
        request.body = .data(compressed, contentType: body.contentType)
        request.headers.set("Content-Encoding", "gzip")
    }
}
