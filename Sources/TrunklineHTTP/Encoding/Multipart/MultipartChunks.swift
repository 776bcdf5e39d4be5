import Foundation

/// A multipart body as a stream: one reader, pulled by one consumer.
actor MultipartChunks {
    private var reader: MultipartReader

    init(segments: [MultipartSegment]) { reader = MultipartReader(segments: segments) }

    func next() async throws -> Data? {
        var current = reader
        defer { reader = current }
        return try await current.next()
    }
}
