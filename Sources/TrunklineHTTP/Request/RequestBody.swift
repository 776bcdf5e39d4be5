import Foundation

/// The content of a request, as a factory: it can be produced again for a redirect, a retry or a replayed token, or it
/// says that it can't (``isReplayable``) and the request then fails with ``HTTPError/bodyNotReplayable(reason:)`` instead
/// of going out empty.
public struct RequestBody: Sendable {
    /// A pull-based sequence of chunks: the next chunk is made when the one before it was sent.
    public typealias Chunks = AsyncThrowingStream<Data, any Error>

    /// Where the bytes come from.
    package enum Source: Sendable {
        case data(Data)
        case file(URL, length: Int64)
        case stream(length: Int64?, replayable: Bool, make: @Sendable () throws -> Chunks)
    }

    package let source: Source

    /// The media type to announce unless the request's headers name one.
    public var contentType: String?

    /// The form the bytes were made of, for texts about the request.
    private let formBox: Box<MultipartFormData>?

    /// The form, where the body is one.
    package var form: MultipartFormData? { formBox?.value }

    package init(source: Source, contentType: String?, form: MultipartFormData? = nil) {
        self.source = source
        self.contentType = contentType
        formBox = form.map { Box($0) }
    }

    /// Bytes in memory.
    public static func data(_ data: Data, contentType: String? = nil) -> RequestBody {
        RequestBody(source: .data(data), contentType: contentType)
    }

    /// A file, read while it is sent. Its length is taken now.
    ///
    /// - Throws: ``HTTPError/file(_:)`` when the file can't be read or is a directory.
    public static func file(_ url: URL, contentType: String? = nil) throws(HTTPError) -> RequestBody {
        RequestBody(source: .file(url, length: try FileFacts.length(of: url)), contentType: contentType)
    }

    /// A stream made anew for every attempt.
    ///
    /// - Parameters:
    ///   - length: the exact number of bytes, sent as `Content-Length`; nil sends the body chunked.
    ///   - contentType: the media type to announce.
    ///   - make: makes the chunks; called once an attempt.
    public static func stream(
        length: Int64? = nil, contentType: String? = nil, _ make: @escaping @Sendable () throws -> Chunks
    ) -> RequestBody {
        RequestBody(source: .stream(length: length, replayable: true, make: make), contentType: contentType)
    }

    /// A stream that can be read once: a redirect or retry that needs the body again fails with
    /// ``HTTPError/bodyNotReplayable(reason:)``.
    public static func oneShot(length: Int64? = nil, contentType: String? = nil, _ chunks: Chunks) -> RequestBody {
        RequestBody(source: .stream(length: length, replayable: false, make: { chunks }), contentType: contentType)
    }

    /// The exact number of bytes, or nil when only the end of the stream will tell.
    public var contentLength: Int64? {
        switch source {
        case .data(let data): Int64(data.count)
        case .file(_, let length): length
        case .stream(let length, _, _): length
        }
    }

    /// Whether the body can be produced a second time.
    public var isReplayable: Bool {
        if case .stream(_, let replayable, _) = source { replayable } else { true }
    }

    /// The bytes, where they are in memory already.
    public var data: Data? {
        if case .data(let data) = source { data } else { nil }
    }
}
