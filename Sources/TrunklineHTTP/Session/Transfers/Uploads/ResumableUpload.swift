import Foundation

/// A protocol for uploads that can be taken up again.
public struct ResumableUpload: Sendable {
    let dialect: any UploadDialect
    /// The most bytes of one request's content; nil, the default, for all that is missing.
    public var chunkSize: Int64?

    /// [tus 1.0](https://tus.io/protocols/resumable-upload): creation by `POST`, `HEAD` for the offset, `PATCH` for the
    /// content; the expiration extension is heeded.
    ///
    /// - Parameters:
    ///   - metadata: sent as `Upload-Metadata`; `filename` and `filetype` are common keys. Keys hold no space or comma.
    ///   - chunkSize: the most bytes of one `PATCH`; nil, the default, for all that is missing.
    ///   - sendsContentAtCreation: whether the first request carries content already (the creation-with-upload extension);
    ///     by default not.
    ///   - sendsChecksums: whether each request with content has its SHA-256 (the checksum extension; the server must
    ///     list `sha256`); by default not. Each chunk is then read twice.
    public static func tus(
        metadata: [String: String] = [:], chunkSize: Int64? = nil, sendsContentAtCreation: Bool = false,
        sendsChecksums: Bool = false
    ) -> ResumableUpload {
        ResumableUpload(
            dialect: TusDialect(
                metadata: metadata, sendsContentAtCreation: sendsContentAtCreation, sendsChecksums: sendsChecksums),
            chunkSize: chunkSize)
    }

    /// The IETF draft *Resumable Uploads for HTTP* (draft-ietf-httpbis-resumable-upload-05), interop version 6, which the
    /// `URLSession` of iOS 18 speaks too. The upload is created by a request without content, so that its address is known
    /// before the first byte (the draft's careful creation); informational 104 answers are not needed.
    ///
    /// - Parameters:
    ///   - contentType: the media type of the file, sent at creation; by default the one of its extension.
    ///   - chunkSize: the most bytes of one `PATCH`; nil, the default, for all that is missing. A smaller limit of the
    ///     server's (`Upload-Limit`) is kept to.
    public static func ietfDraft(contentType: String? = nil, chunkSize: Int64? = nil) -> ResumableUpload {
        ResumableUpload(dialect: DraftDialect(contentType: contentType), chunkSize: chunkSize)
    }
}
