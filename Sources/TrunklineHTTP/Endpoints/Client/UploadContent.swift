import Foundation

/// What a client uploads. It becomes a body off the main actor when the request is made, and a failure there ends the
/// request like any other.
public struct UploadContent: Sendable {
    private let make: @Sendable () throws(HTTPError) -> RequestBody

    /// Makes content of a closure that makes the body; called once for each upload.
    public init(_ make: @escaping @Sendable () throws(HTTPError) -> RequestBody) { self.make = make }

    /// A model as JSON; see ``RequestBody/json(_:format:)``.
    public static func json(
        _ model: some Encodable & Sendable, format: JSONParameterEncoder = JSONParameterEncoder()
    ) -> UploadContent {
        UploadContent { () throws(HTTPError) in try .json(model, format: format) }
    }

    /// Bytes: an image's, say, with `contentType` `image/png`.
    public static func data(_ data: Data, contentType: String = MIMEType.unknown) -> UploadContent {
        .body(.data(data, contentType: contentType))
    }

    /// A file, read while it is sent; its media type is by default the one of its extension.
    public static func file(_ url: URL, contentType: String? = nil) -> UploadContent {
        UploadContent { () throws(HTTPError) in
            try .file(url, contentType: contentType ?? MIMEType.of(fileName: url.lastPathComponent))
        }
    }

    /// A form of several parts.
    public static func multipart(_ form: MultipartFormData) -> UploadContent {
        UploadContent { () throws(HTTPError) in try .multipart(form) }
    }

    /// Any body: a stream, say.
    public static func body(_ body: RequestBody) -> UploadContent {
        UploadContent { () throws(HTTPError) in body }
    }

    /// The body, made off the caller's actor.
    func body() async throws -> RequestBody { try make() }
}
