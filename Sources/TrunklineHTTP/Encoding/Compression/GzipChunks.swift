import Foundation

/// The chunks of a body, compressed as they are pulled: one reader, pulled by one consumer.
actor GzipChunks {
    private let source: RequestBody.Chunks
    private let gzip: GzipStream
    private var isOver = false

    init(_ source: RequestBody.Chunks) throws(HTTPError) {
        self.source = source
        gzip = try GzipStream()
    }

    /// The next chunk, never empty, or nil at the end.
    func next() async throws -> Data? {
        while !isOver {
            // The stream is kept and not its iterator, which is not Sendable; all iterators of a stream share its state.
            var iterator = source.makeAsyncIterator()
            let chunk = try await iterator.next()
            if chunk == nil {
                try Task.checkCancellation()
                isOver = true
            }
            let compressed = try gzip.write(chunk)
            if !compressed.isEmpty { return compressed }
        }
        return nil
    }
}
