import Foundation

/// A piece of a multipart body: a head, a part's content, a line end.
struct MultipartSegment: Sendable {
    /// The name of the part it belongs to.
    let part: String
    /// The number of bytes announced.
    let length: Int64
    let content: MultipartPart.Content

    func failure(_ reason: MultipartFailure.Reason) -> HTTPError {
        .invalidRequest(.multipart(MultipartFailure(part: part, reason: reason)))
    }
}
