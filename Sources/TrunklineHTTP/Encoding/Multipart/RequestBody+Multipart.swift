import Foundation

extension RequestBody {
    /// A multipart form, with its length; it can be sent again. Files and streams are read while it is sent, each attempt
    /// anew; a form of less than a mebibyte that is all in memory is put together now.
    ///
    /// - Throws: ``HTTPError/invalidRequest(_:)`` with ``RequestFailure/multipart(_:)`` for a file that is missing,
    ///   unreadable or a directory. A part whose length turns out wrong ends the request with the same while it is sent.
    public static func multipart(_ form: MultipartFormData) throws(HTTPError) -> RequestBody {
        let segments = try form.segments()
        var length: Int64 = 0
        for segment in segments {
            let (sum, overflow) = length.addingReportingOverflow(segment.length)
            guard !overflow else { throw .invalidRequest(.body(reason: "the form is longer than \(Int64.max) bytes")) }
            length = sum
        }
        if length < 1 << 20, let data = inMemory(segments) {
            return RequestBody(source: .data(data), contentType: form.contentType, form: form)
        }
        let source = Source.stream(length: length, replayable: true) {
            let chunks = MultipartChunks(segments: segments)
            return Chunks { try await chunks.next() }
        }
        return RequestBody(source: source, contentType: form.contentType, form: form)
    }

    private static func inMemory(_ segments: [MultipartSegment]) -> Data? {
        var result = Data()
        for segment in segments {
            guard case .data(let data) = segment.content else { return nil }
            result.append(data)
        }
        return result
    }
}
