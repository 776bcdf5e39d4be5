import Foundation

/// What an upload manager sends.
public enum APIUploadContent: Sendable {
    /// A form of several parts. The load's parameters become its first fields, under the names and in the texts of a
    /// URL-encoded form (`user[name]`), one each.
    case multipart(MultipartFormData)
    /// Bytes of a media type. The parameters go into the query, as with every content but a form.
    case data(Data, contentType: String)
    /// A file, read while it is sent; its media type is by default the one of its extension.
    case file(URL, contentType: String? = nil)
    /// Anything else a session can upload: a stream, a model.
    case content(UploadContent)
    /// A file by a protocol for resumable uploads, `.tus()` or `.ietfDraft()`: the same load, made again after a lost
    /// connection, a cancel or the end of the process, goes on where the server is.
    case resumableFile(URL, by: ResumableUpload, resumption: TransferResumption = .automatic)
}
